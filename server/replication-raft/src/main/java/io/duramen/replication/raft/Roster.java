package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.util.Endpoint;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who belongs to a group, as far as the log of its replica here tells: what is in the log counts at once, whether it is committed or
 * not. Before there is a log, who is named at the beginning. From any thread.
 */
public class Roster {
    private volatile View now;

    /** Who is being added, while the log does not tell so. */
    private volatile Optional<RaftPeer> expected = Optional.empty();

    /**
     * Immutable.
     *
     * @param voters who decides, as of the end of the log
     * @param joining who follows without a vote
     * @param everyone who is let in: these, and whoever leaves while that is not decided
     * @param ever who ever was one of these
     * @param everVoted names of who ever decided
     * @param isStable whether no change is under way
     */
    private record View(
            List<RaftPeer> voters,
            List<RaftPeer> joining,
            Map<Endpoint, RaftPeer> everyone,
            List<RaftPeer> ever,
            Set<String> everVoted,
            boolean isStable) {}

    private Roster(List<MembersFile.Change> changes) {
        became(changes);
    }

    /** Of a group of which nothing else is known. */
    public static Roster of(List<RaftPeer> peers) {
        return new Roster(List.of(new MembersFile.Change(0, 0, members(peers))));
    }

    /**
     * As the files of a replica tell, which does not run yet.
     *
     * @param peers where there are none
     * @throws IOException where they cannot be read
     */
    public static Roster of(ReplicaFiles files, List<RaftPeer> peers) throws IOException {
        MembersFile file = new MembersFile(new PathFile(files.log().resolve(ReplicaFiles.MEMBERS)));
        file.look(members(peers));
        return file.changes().isEmpty() ? of(peers) : new Roster(file.changes());
    }

    /** Of all groups that the same nodes have: whoever belongs to one of them. The groups' own change what it says. */
    public static Roster of(List<Roster> groups, RaftPeer self) {
        return new OfGroups(List.copyOf(groups), self);
    }

    private static Members members(List<RaftPeer> peers) {
        return Members.of(peers.stream().map(RaftPeer::toEngine).toList());
    }

    /** @param changes all there were, oldest first */
    void became(List<MembersFile.Change> changes) {
        Members last = changes.get(changes.size() - 1).members();
        Set<String> everVoted = new HashSet<>();
        for (MembersFile.Change change : changes) {
            peers(change.members().peers()).forEach(peer -> everVoted.add(peer.name()));
            peers(change.members().oldPeers()).forEach(peer -> everVoted.add(peer.name()));
        }
        now = new View(
                peers(last.peers()).toList(),
                peers(last.learners()).toList(),
                peers(last.everyone())
                        .collect(Collectors.toMap(peer -> peer.toEngine().getEndpoint(), Function.identity())),
                changes.stream()
                        .flatMap(change -> peers(change.members().everyone()))
                        .distinct()
                        .toList(),
                everVoted,
                last.isStable());
    }

    /** This node has no replica of the group any more: who belongs to it is not known here. */
    public void forget(RaftPeer self) {
        became(List.of(new MembersFile.Change(0, 0, members(List.of(self)))));
    }

    /** Whether no change of who belongs to the group is under way, as far as the log tells and this replica wants. */
    boolean isStable() {
        return now.isStable && expected.isEmpty();
    }

    /**
     * Lets somebody in whom this replica adds, whatever the log tells meanwhile: who followed and is to decide is neither for a moment.
     *
     * @param added empty for nobody any more
     */
    void expect(Optional<RaftPeer> added) {
        expected = added;
    }

    private static Stream<RaftPeer> peers(List<PeerId> ids) {
        return ids.stream().map(RaftPeer::of).sorted(Comparator.comparing(RaftPeer::name));
    }

    /** Who decides; the same list until that changes. */
    public List<RaftPeer> voters() {
        return now.voters;
    }

    /** Who has no vote yet, and is to get one. */
    public List<RaftPeer> joining() {
        return now.joining;
    }

    /** All who are let in, by name. */
    public List<RaftPeer> everyone() {
        return now.everyone.values().stream()
                .sorted(Comparator.comparing(RaftPeer::name))
                .toList();
    }

    /** Who belonged to it at any time. */
    public List<RaftPeer> ever() {
        return now.ever;
    }

    /** Whether somebody of that name has ever had a vote. */
    boolean hasVoted(String name) {
        return now.everVoted.contains(name);
    }

    public Optional<RaftPeer> peer(String name) {
        return now.everyone.values().stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .or(() -> expected.filter(peer -> peer.name().equals(name)));
    }

    Optional<RaftPeer> peer(Endpoint endpoint) {
        return Optional.ofNullable(now.everyone.get(endpoint))
                .or(() -> expected.filter(peer -> peer.toEngine().getEndpoint().equals(endpoint)));
    }

    /** Whether it is let in. */
    public boolean has(RaftPeer peer) {
        return peer(peer.toEngine().getEndpoint()).isPresent();
    }

    /** Whoever belongs to one of several groups. It has no log of its own, and nothing is told to it. */
    private static final class OfGroups extends Roster {
        private final List<Roster> groups;

        OfGroups(List<Roster> groups, RaftPeer self) {
            super(List.of(new MembersFile.Change(0, 0, Roster.members(List.of(self)))));
            this.groups = groups;
        }

        private List<RaftPeer> all(Function<Roster, List<RaftPeer>> which) {
            return groups.stream()
                    .flatMap(group -> which.apply(group).stream())
                    .distinct()
                    .sorted(Comparator.comparing(RaftPeer::name))
                    .toList();
        }

        private Optional<RaftPeer> first(Function<Roster, Optional<RaftPeer>> which) {
            return groups.stream().flatMap(group -> which.apply(group).stream()).findFirst();
        }

        @Override
        public List<RaftPeer> voters() {
            return all(Roster::voters);
        }

        @Override
        public List<RaftPeer> joining() {
            return all(Roster::joining);
        }

        @Override
        public List<RaftPeer> everyone() {
            return all(Roster::everyone);
        }

        @Override
        public List<RaftPeer> ever() {
            return all(Roster::ever);
        }

        @Override
        boolean hasVoted(String name) {
            return groups.stream().anyMatch(group -> group.hasVoted(name));
        }

        @Override
        public Optional<RaftPeer> peer(String name) {
            return first(group -> group.peer(name));
        }

        @Override
        Optional<RaftPeer> peer(Endpoint endpoint) {
            return first(group -> group.peer(endpoint));
        }
    }
}
