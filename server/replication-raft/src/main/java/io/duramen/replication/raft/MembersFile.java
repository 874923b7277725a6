package io.duramen.replication.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which entries of a log changed the members of its group, kept beside the log so that it needs not be read through for them.
 * Confined to the agent, blocking; what changes members is rare. Written before such an entry is appended, and after one was
 * taken back: so what stands here behind the end of the log never came to be.
 *
 * <pre>
 *   0       4
 *   | count | then each: index 8 | epoch 8 | length 4 | members
 * </pre>
 */
final class MembersFile {
    private static final Logger LOG = LoggerFactory.getLogger(MembersFile.class);
    private static final long MAGIC = 0x4475_5265_4D65_6D62L;
    private static final int ITEM_LENGTH_MIN = 20;

    /** From so many on, those that change nothing are left out. */
    private static final int CHANGES_MANY = 256;

    /** The last of all, which stay as they are. */
    private static final int CHANGES_LAST = 64;

    private final SmallFile file;
    private final List<Change> changes = new ArrayList<>();
    private Runnable onChange = () -> {};

    /** @param index 0 for the first members of all; of two for one entry the later counts */
    record Change(long index, long epoch, Members members) {}

    MembersFile(SmallFile file) {
        this.file = file;
    }

    /** Sets what is called after each change, by the same thread. */
    void onChange(Runnable toCall) {
        onChange = toCall;
    }

    /** Whether this replica was started before. */
    boolean exists() throws IOException {
        return file.read().isPresent();
    }

    /**
     * Reads it, and writes it where it is not there.
     *
     * @param lastIndex what is behind it is dropped
     * @param first members of a group that has none yet
     * @throws IOException where it cannot be read or is not intact, or where a log with entries would begin with several members:
     *     those without entries could agree on an empty log, and take these back
     */
    void load(long lastIndex, Members first) throws IOException {
        var found = file.read();
        if (found.isEmpty()) {
            if (lastIndex > 0 && !first.isOne()) {
                throw new IOException(
                        "the log has " + lastIndex + " entries and belonged to no group yet. A node with data"
                                + " begins as a group of its own, to which others are added");
            }
            add(new Change(0, 0, first));
            return;
        }
        read(found.get(), first);
        cut(lastIndex);
        onChange.run();
    }

    /**
     * Reads it as it stands, where it is there: for who looks before the log is opened. What is behind the log's end is among it.
     *
     * @throws IOException as {@link #load}
     */
    void look(Members first) throws IOException {
        var found = file.read();
        if (found.isPresent()) {
            read(found.get(), first);
        }
    }

    private void read(ByteBuffer content, Members first) throws IOException {
        try {
            decode(Sealed.unwrap(MAGIC, content, file.toString()), first);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void decode(ByteBuffer content, Members first) throws IOException {
        int count = content.remaining() < 4 ? -1 : content.getInt();
        if (count < 1 || count > content.remaining() / ITEM_LENGTH_MIN) {
            throw new IOException(count + " changes of members in " + content.remaining() + " bytes");
        }
        for (int i = 0; i < count; i++) {
            if (content.remaining() < ITEM_LENGTH_MIN) {
                throw new IOException("it ends early");
            }
            long index = content.getLong();
            long epoch = content.getLong();
            int length = content.getInt();
            if (length < 0 || length > content.remaining()) {
                throw new IOException("members of " + length + " bytes, with " + content.remaining() + " left");
            }
            Members members = Members.decode(content.slice(content.position(), length));
            changes.add(new Change(index, epoch, members.named(first)));
            content.position(content.position() + length);
        }
    }

    /** Oldest first; there is at least one. */
    List<Change> changes() {
        return changes;
    }

    /**
     * From the log's last entry on this replica is the only one, as an operator has said that all others are lost. That is in no
     * entry: the first of the next leadership, which is this replica's, tells it. Does nothing where these are no members any more.
     *
     * @param lost names of all others that decide
     * @throws IOException where these are others, or where there is nothing to go on with; nothing has changed then
     */
    void recoverWithout(List<String> lost, PeerId self, long lastIndex, long lastEpoch) throws IOException {
        Set<String> others = voters(last(), self);
        if (others.stream().noneMatch(lost::contains) && everVoted(self).containsAll(lost)) {
            return;
        }
        if (!others.equals(Set.copyOf(lost))) {
            throw new IOException("the other nodes that decide are " + others + ", not " + lost
                    + ": a node goes on alone only where all of them are lost for good. The log of this one ends with entry "
                    + lastIndex + " of epoch " + lastEpoch);
        }
        if (lastIndex == 0) {
            throw new IOException("the log of this node is empty: it has nothing to go on with without " + others);
        }
        LOG.warn(
                "UNSAFE RECOVERY: an operator has said that {} are lost for good. This node is the only one from entry {} of epoch"
                        + " {} on. What was confirmed and only the others had is lost; should they run again, they would"
                        + " serve beside this node",
                others,
                lastIndex,
                lastEpoch);
        add(new Change(lastIndex, lastEpoch, Members.of(List.of(self))));
    }

    private static Set<String> voters(Members members, PeerId but) {
        Set<String> names = new TreeSet<>();
        Stream.concat(members.peers().stream(), members.oldPeers().stream())
                .filter(peer -> !peer.equals(but))
                .forEach(peer -> names.add(RaftPeer.of(peer).name()));
        return names;
    }

    private Set<String> everVoted(PeerId but) {
        Set<String> names = new TreeSet<>();
        changes.forEach(change -> names.addAll(voters(change.members(), but)));
        return names;
    }

    /**
     * As the engine of a replica is to know them, one for each entry. One that finds at its start that it follows without a vote never
     * looks at whether there is a leader, not even when it has got its vote (SOFAJRaft 1.3.15); one that finds itself nowhere does.
     */
    List<Change> forEngineOf(PeerId self) {
        SortedMap<Long, Change> last = new TreeMap<>();
        for (Change change : changes) {
            last.put(
                    change.index(),
                    new Change(change.index(), change.epoch(), change.members().withoutLearner(self)));
        }
        return List.copyOf(last.values());
    }

    Members first() {
        return changes.get(0).members();
    }

    Members last() {
        return changes.get(changes.size() - 1).members();
    }

    /** Index of the first entry of an epoch, which always is one about members; 0 where there is none. */
    long firstOf(long epoch) {
        return changes.stream()
                .filter(change -> change.epoch() == epoch)
                .mapToLong(Change::index)
                .findFirst()
                .orElse(0);
    }

    /** Members as they were after that entry. */
    Members at(long index) {
        Members members = changes.get(0).members();
        for (Change change : changes) {
            members = change.index() <= index ? change.members() : members;
        }
        return members;
    }

    void add(Change change) throws IOException {
        changes.add(change);
        if (changes.size() > CHANGES_MANY) {
            thin();
        }
        store();
        onChange.run();
    }

    /**
     * Each leadership adds one, mostly with the members from before. All but the last ones of these go: nobody asks for the first
     * entry of an epoch that is long over, and whoever looks for members finds the same ones by the change before.
     */
    private void thin() {
        List<Change> kept = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            boolean isNews = kept.isEmpty()
                    || !change.members().equals(kept.get(kept.size() - 1).members());
            if (isNews || i >= changes.size() - CHANGES_LAST) {
                kept.add(change);
            }
        }
        changes.clear();
        changes.addAll(kept);
    }

    /** Forgets changes by entries behind the index. */
    void cut(long lastIndex) throws IOException {
        if (changes.removeIf(change -> change.index() > lastIndex)) {
            LOG.info("Changes of members behind entry {} are dropped: they never came to be", lastIndex);
            store();
            onChange.run();
        }
    }

    private void store() throws IOException {
        List<ByteBuffer> members = new ArrayList<>();
        int length = 4;
        for (Change change : changes) {
            ByteBuffer encoded = change.members().encode();
            members.add(encoded);
            length += ITEM_LENGTH_MIN + encoded.remaining();
        }
        ByteBuffer content = ByteBuffer.allocate(length).putInt(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            ByteBuffer encoded = members.get(i);
            content.putLong(changes.get(i).index())
                    .putLong(changes.get(i).epoch())
                    .putInt(encoded.remaining())
                    .put(encoded);
        }
        file.replace(Sealed.wrap(MAGIC, content.flip()));
    }
}
