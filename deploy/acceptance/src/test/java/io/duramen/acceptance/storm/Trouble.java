package io.duramen.acceptance.storm;

import io.duramen.acceptance.process.ClusterProcess;
import io.duramen.acceptance.process.ClusterVictim;
import io.duramen.acceptance.process.PeerLinks;
import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A cluster to which, each time, something else happens: to the node that leads, which another has to stand in for, or to the network,
 * with which the cluster has to serve on. Something else may happen {@link Besides besides}, as long as two nodes are left that can decide
 * together. What does not end by itself lasts until the next time. Used by one thread.
 */
final class Trouble extends ClusterVictim {
    private static final Duration SLOW = Duration.ofMillis(30);

    /** What may happen. */
    private enum Kind {
        /** {@code kill -9} of the leader. */
        KILLED,
        /** The leader stands still (SIGSTOP), and goes on once another serves. */
        HALTED,
        /** Nobody hears the leader, and it hears nobody. */
        ISOLATED,
        /** Nobody hears the leader. */
        MUTE,
        /** The leader hears nobody. */
        DEAF,
        /** The leader and one other do not hear each other. */
        SPLIT,
        /** The two that do not lead do not hear each other. */
        APART,
        /** A node that does not lead is cut off. */
        LOST,
        /** Whatever one node says to another comes late. */
        SLOWED,
        /** The leader's disk is full: it has to have another lead. */
        FULL
    }

    /** What leaves two nodes that are in sync whatever becomes of the other's disk. */
    private static final Set<Kind> WITHOUT_THE_OTHER = EnumSet.of(Kind.SPLIT, Kind.APART, Kind.LOST, Kind.SLOWED);

    private final PeerLinks links;
    private final SplittableRandom random;
    private final Besides besides;
    private final Set<Kind> possible = EnumSet.allOf(Kind.class);
    private final List<Kind> deck = new ArrayList<>();

    /**
     * @param clocks whether those of the nodes can be put
     * @param disks whether those of the nodes can be filled
     */
    Trouble(ClusterProcess cluster, PeerLinks links, long seed, boolean clocks, boolean disks) {
        super(cluster);
        this.links = links;
        random = new SplittableRandom(seed);
        besides = new Besides(cluster, random.split(), clocks, disks);
        if (!disks) {
            possible.remove(Kind.FULL);
        }
    }

    @Override
    public void killAndReturn() throws IOException, InterruptedException {
        end();
        ServerProcess leader = cluster().awaitLeader();
        List<ServerProcess> others = new ArrayList<>(cluster().nodes());
        others.remove(leader);
        ServerProcess other = others.remove(random.nextInt(others.size()));
        Kind kind = next();
        Besides.Kind also = besides.happen(leader, other, WITHOUT_THE_OTHER.contains(kind));
        System.out.printf(
                "%s, besides %s: leader %s, other %s%n",
                kind, also, cluster().name(leader), cluster().name(other));
        switch (kind) {
            case KILLED -> cluster().killAndReturn();
            case HALTED -> halt(leader);
            case ISOLATED, MUTE, DEAF -> silence(leader, kind != Kind.DEAF, kind != Kind.MUTE);
            case SPLIT -> cut(leader, other);
            case APART -> cut(other, others.get(0));
            case LOST -> {
                cut(other, leader);
                cut(other, others.get(0));
            }
            case SLOWED -> slowAll();
            case FULL -> fill(leader);
        }
    }

    /** Of each kind as often as of any other, within one. */
    private Kind next() {
        if (deck.isEmpty()) {
            deck.addAll(possible);
        }
        return deck.remove(random.nextInt(deck.size()));
    }

    private void halt(ServerProcess leader) throws IOException, InterruptedException {
        long haltedNanos = System.nanoTime();
        leader.halt();
        try {
            cluster().awaitOtherThan(leader, haltedNanos);
        } finally {
            leader.goOn();
        }
        cluster().awaitDeposed(leader);
    }

    /** Lasts until another serves, or until the next time. */
    private void silence(ServerProcess leader, boolean mute, boolean deaf) {
        long cutNanos = System.nanoTime();
        for (ServerProcess other : cluster().nodes()) {
            if (other != leader && mute) {
                links.cut(cluster().name(leader), cluster().name(other));
            }
            if (other != leader && deaf) {
                links.cut(cluster().name(other), cluster().name(leader));
            }
        }
        cluster().awaitOtherThan(leader, cutNanos);
        cluster().awaitDeposed(leader);
        if (random.nextBoolean()) {
            links.heal();
        }
    }

    /** Lasts until another serves, or until the next time. */
    private void fill(ServerProcess leader) throws IOException, InterruptedException {
        long filledNanos = System.nanoTime();
        cluster().fillDisk(leader);
        cluster().awaitOtherThan(leader, filledNanos);
        cluster().awaitDeposed(leader);
        if (random.nextBoolean()) {
            cluster().freeDisks();
        }
    }

    private void cut(ServerProcess one, ServerProcess two) {
        links.cut(cluster().name(one), cluster().name(two));
        links.cut(cluster().name(two), cluster().name(one));
    }

    private void slowAll() {
        for (ServerProcess one : cluster().nodes()) {
            for (ServerProcess two : cluster().nodes()) {
                links.slow(cluster().name(one), cluster().name(two), SLOW);
            }
        }
    }

    @Override
    public void end() {
        links.heal();
        try {
            cluster().freeDisks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
