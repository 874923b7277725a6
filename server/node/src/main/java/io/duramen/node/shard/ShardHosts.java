package io.duramen.node.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.MetadataConfig;
import io.duramen.broker.shard.FarShards;
import io.duramen.broker.shard.Neighbours;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardMessage;
import io.duramen.broker.shard.ShardPlace;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.log.DamagedLogException;
import io.duramen.log.LogConfig;
import io.duramen.node.directory.DataDirectory;
import io.duramen.node.relay.Crossings;
import io.duramen.runtime.Clock;
import io.duramen.runtime.agent.Inbox;
import io.duramen.runtime.agent.MpscInbox;
import io.duramen.runtime.disk.SyncTimes;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The shards of this node, each with its thread, log and state; they hear of each other through their inboxes. Started and
 * closed by one thread.
 */
public final class ShardHosts implements AutoCloseable {
    private final Floor floor;
    private final List<MpscInbox<ShardRequest>> inboxes = new ArrayList<>();
    private final List<ShardCounters> counters = new ArrayList<>();
    private final List<SyncTimes> syncTimes = new ArrayList<>();
    private final List<ShardHost> hosts = new CopyOnWriteArrayList<>();
    private final StateStores states;

    /** Where each node may lead some of the shards. */
    private final Optional<Crossings> crossings;

    private Succession succession;

    /** What all of them stand on. */
    public record Floor(
            DataDirectory directory,
            BrokerConfig broker,
            LogConfig log,
            MetadataConfig metadata,
            Clock clock,
            Logs logs) {}

    /** @param states closed with this */
    public ShardHosts(Floor floor, StateStores states) {
        this.floor = floor;
        this.states = states;
        for (int shard = 0; shard < states.shards(); shard++) {
            inboxes.add(new MpscInbox<>());
            counters.add(new ShardCounters());
            syncTimes.add(new SyncTimes());
        }
        crossings = floor.logs.severalLeaders().map(nodes -> new Crossings(inboxes, nodes, floor.clock));
        floor.logs.followFormat(() -> counters.stream()
                .map(shard -> (int) shard.get(ShardCounters.Counter.FORMAT_LEVEL))
                .toList());
        for (int shard = 0; shard < states.shards(); shard++) {
            hosts.add(host(shard));
        }
    }

    private ShardHost host(int shard) {
        ShardPlace place = new ShardPlace(
                shard, neighbours(shard), counters.get(shard), new SecureRandom().nextLong(), floor.logs.formatMax());
        return new ShardHost(place, floor, states, inboxes.get(shard), syncTimes.get(shard));
    }

    private Neighbours neighbours(int shard) {
        return crossings.isPresent()
                ? new FarShards(
                        shard, inboxes.size(), floor.clock, crossings.get().carrier(), new Groups())
                : new InThisNode(shard);
    }

    private final class Groups implements FarShards.Groups {
        @Override
        public int replicas(int shard) {
            return floor.logs.replicasOf(shard);
        }

        @Override
        public boolean mayBeLed(int shard) {
            return floor.logs.mayBeLed(shard);
        }
    }

    private final class InThisNode implements Neighbours {
        private final int shard;

        InThisNode(int shard) {
            this.shard = shard;
        }

        @Override
        public int shards() {
            return inboxes.size();
        }

        @Override
        public int replicas(int of) {
            return floor.logs.replicasOf(of);
        }

        @Override
        public void leave(int to, ShardMessage message) {
            inboxes.get(to).put(new ShardRequest.FromShard(shard, message));
        }

        @Override
        public void wake(int to) {
            inboxes.get(to).wake();
        }
    }

    /** A shard of a node of a cluster anew, after it led, or was given up for a copy of another node's, and was closed. From any thread. */
    private final class Anew implements Succession.Next {
        @Override
        public boolean takesLong(int shard) {
            return floor.logs.copiesFirst(shard);
        }

        @Override
        public Optional<ShardHost> start(int shard) throws IOException {
            floor.logs.prepare(floor.directory, shard);
            hosts.set(shard, host(shard));
            return started(shard);
        }

        @Override
        public boolean isHeld(int shard) {
            return floor.logs.isHeld(shard);
        }

        @Override
        public Logs.Due due(int shard) {
            return floor.logs.due(shard);
        }

        @Override
        public boolean take(int shard) throws IOException {
            return floor.logs.take(shard);
        }

        @Override
        public ShardHost drop(int shard) throws IOException {
            hosts.set(shard, host(shard));
            floor.logs.drop(shard);
            return hosts.get(shard);
        }

        @Override
        public void lookAround() {
            floor.logs.lookAround();
        }
    }

    /** Starts a shard; empty where its log is damaged, and what others have is to take its place first. */
    private Optional<ShardHost> started(int shard) throws IOException {
        ShardHost host = hosts.get(shard);
        try {
            host.start();
            return Optional.of(host);
        } catch (IOException e) {
            boolean damaged = e.getCause() instanceof DamagedLogException;
            if (!damaged || !floor.logs.replacesDamaged(shard, e.getCause().getMessage())) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** Where each shard takes requests, by its number. */
    public List<Inbox<ShardRequest>> inboxes() {
        return crossings.map(Crossings::ports).orElseGet(() -> List.copyOf(inboxes));
    }

    /** Gives each connection of this node its id, where clients of the cluster come to several nodes. From any thread. */
    public Optional<LongSupplier> connectionIds() {
        return crossings.map(between -> between::nextConnection);
    }

    /** How each shard stands, by its number. */
    public List<ShardCounters> counters() {
        return List.copyOf(counters);
    }

    /** How long the syncs of each shard's log take, by its number. */
    public List<SyncTimes> syncTimes() {
        return List.copyOf(syncTimes);
    }

    /** How this node stands in its cluster; empty on a node by itself. */
    public Optional<Replicas> replicas() {
        return floor.logs.replicas();
    }

    /** Whether a shard met an error in the node itself, and takes nothing more; from any thread. */
    public boolean hasFailed(int shard) {
        return hosts.get(shard).hasFailed();
    }

    /**
     * Recovers all shards, brings them in line with each other, and returns when they take requests. Where other nodes may lead,
     * it returns once the shards take part, but for those whose logs are damaged and that copy first what others have; and clients are let
     * in and sent away as this node leads and leads no more.
     *
     * @throws IOException where state or log of one cannot be read, or the directory holds more shards; the message says
     *     what to do
     */
    public void start(Clients clients) throws IOException {
        floor.logs.prepare(floor.directory);
        floor.directory.requireAtMost(hosts.size());
        List<Integer> damaged = new ArrayList<>();
        for (int shard = 0; shard < hosts.size(); shard++) {
            if (floor.logs.isHeld(shard)) {
                if (started(shard).isEmpty()) {
                    damaged.add(shard);
                }
            } else {
                floor.logs.prepare(floor.directory, shard);
            }
        }
        Optional<Leaderships> leaderships = floor.logs.leaderships();
        if (leaderships.isPresent()) {
            succession = succession(clients, leaderships.get());
            succession.follow(List.copyOf(hosts), damaged);
            return;
        }
        for (ShardHost host : hosts) {
            host.awaitLeading();
        }
        for (ShardHost host : hosts) {
            host.awaitSettled();
        }
    }

    private Succession succession(Clients clients, Leaderships leaderships) {
        if (crossings.isEmpty()) {
            return new OneLeader(clients, leaderships, new Anew());
        }
        crossings.get().onCut(clients::cutSoon);
        LoadMeter meter = new LoadMeter(
                (shard, counter) -> counters.get(shard).get(counter),
                floor.logs.loads().orElseThrow(),
                leaderships.electionTimeout());
        return new SeveralLeaders(clients, leaderships, new Anew(), crossings.get(), meter);
    }

    /**
     * Recovers the shards and ends them again, so that their state is stored.
     *
     * @throws IOException as {@link #start}
     */
    public void startAndClose() throws IOException {
        try {
            start(Clients.NONE);
        } finally {
            close();
        }
    }

    /** Lets the shards finish, syncs and closes their logs, and stores their state. */
    @Override
    public void close() {
        floor.logs.giveUp();
        if (succession != null) {
            succession.close();
            floor.logs.leaderships().ifPresent(Leaderships::chooseSuccessor);
        }
        Together.run(hosts, ShardHost::close);
        crossings.ifPresent(Crossings::close);
        states.close();
        floor.logs.close();
    }
}
