package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica that lacks what the others have deleted. */
class CopiedReplicaTest {
    /** That its log ends elsewhere, a leader has to find out; more than that would be a search, one by one. */
    private static final int REFUSED_MAX = 8;

    @TempDir
    Path directory;

    private Trio trio;
    private int appended;
    private long appendedIn;

    @BeforeEach
    void open() throws IOException {
        trio = new Trio(directory);
    }

    @AfterEach
    void close() {
        trio.close();
    }

    @Test
    void shouldCopyWhatWasDeletedAndHaveTheSameLogWhileLoadGoesOn() throws IOException {
        RaftPeer away = leaveBehind();

        comesBack(away);
        int wanted = appended + 200;
        trio.until("load that went on", () -> appendSome(wanted));
        trio.awaitEverywhere(wanted);

        assertThat(trio.replica(away).bodies).containsExactlyElementsOf(numbers(wanted));
        assertSameFiles();
    }

    /** Goal: an empty one has less still, and nothing to begin with. */
    @Test
    void shouldCopyEverythingWhenItBeginsWithNothing() throws IOException {
        RaftPeer away = leaveBehind();
        ReplicaFiles.deleteAll(trio.directory(away).getParent());

        comesBack(away);
        trio.awaitEverywhere(appended);

        assertThat(trio.replica(away).bodies).containsExactlyElementsOf(numbers(appended));
        assertSameFiles();
    }

    /** Goal: the leader asks for a copy by a mark that its image has not reached, and by that again once there is one. */
    @Test
    void shouldCopyOnceWhenTheLeadersMarkIsAheadOfItsImage() throws Exception {
        RaftPeer away = leaveBehind();
        appendMoreThanIsInTheImage(away, Replica::release);
        Replica leader = trio.replica(trio.awaitLeader(0));
        trio.until("a mark ahead of the image", () -> leader.log.markIndex() > leader.imageIndex());

        comesBack(away);

        requireCopiedOnce(away);
    }

    /** Goal: its own mark is ahead of the leader's, behind which that would go on; and it stores an image before it hears of it. */
    @Test
    void shouldCopyOnceAndBeFoundAtOnceWhenItsMarkIsAheadOfTheLeaders() throws Exception {
        RaftPeer away = leaveBehind();
        appendMoreThanIsInTheImage(away, Replica::writeImage);
        Replica leader = trio.replica(trio.awaitLeader(0));
        assertThat(leader.log.markIndex()).isLessThan(leader.imageIndex());

        comesBack(away);
        trio.replica(away).storeImage();

        requireCopiedOnce(away);
    }

    /** Goal: as a node does that stores its state often, under load. */
    @Test
    void shouldCopyOnceWhileAllStoreImagesAgainAndAgain() throws Exception {
        RaftPeer away = leaveBehind();

        comesBack(away);
        for (int image = 0; image < 20; image++) {
            awaitInStepWithoutAnotherCopy(away);
            for (Replica replica : trio.replicas()) {
                replica.storeImage();
            }
        }

        requireCopiedOnce(away);
    }

    private void comesBack(RaftPeer away) throws IOException {
        trio.open(away);
        untilReplaced(away);
    }

    private void requireCopiedOnce(RaftPeer away) throws Exception {
        awaitInStepWithoutAnotherCopy(away);
        assertThat(trio.network.refusedAppends(away)).isLessThanOrEqualTo(REFUSED_MAX);
        assertSameFiles();
    }

    /** Goal: what is there under another epoch is another entry, and who has it lacks the leader's. */
    @Test
    void shouldHaveNothingToCopyOnlyWhereItHasThatEntryOfThatEpoch() throws Exception {
        RaftPeer leader = trio.awaitLeader(0);
        RaftPeer follower = trio.others(leader).get(0);
        appendTo(20);
        trio.awaitEverywhere(20);
        long epoch = trio.replica(leader).epoch;

        assertThat(hasNothingToCopy(leader, follower, 10, epoch)).isTrue();
        assertThat(hasNothingToCopy(leader, follower, 10, epoch - 1)).isFalse();
        assertThat(hasNothingToCopy(leader, follower, 1_000, epoch)).isFalse();
        awaitInStepWithoutAnotherCopy(follower);
    }

    /** Asked as the leader would, but for the name of one to copy from, which is none. */
    private boolean hasNothingToCopy(RaftPeer leader, RaftPeer follower, long index, long epoch) throws Exception {
        InstallSnapshotRequest request = InstallSnapshotRequest.newBuilder()
                .setGroupId("trio")
                .setServerId(leader.toEngine().toString())
                .setPeerId(follower.toEngine().toString())
                .setTerm(trio.replica(leader).epoch)
                .setMeta(SnapshotMeta.newBuilder().setLastIncludedIndex(index).setLastIncludedTerm(epoch))
                .setUri("nowhere")
                .build();
        CompletableFuture<Object> answer = new CompletableFuture<>();
        trio.network
                .clientOf(leader)
                .invokeAsync(
                        follower.toEngine().getEndpoint(),
                        request,
                        null,
                        (result, failure) -> answer.complete(result),
                        10_000);
        trio.until("an answer", answer::isDone);
        return answer.get() instanceof InstallSnapshotResponse said && said.getSuccess();
    }

    /** Those that are there have applied more than is in their images; what their logs are told of it is the caller's. */
    private void appendMoreThanIsInTheImage(RaftPeer away, Told told) throws IOException {
        appendTo(appended + 60);
        int wanted = appended;
        trio.until("entries at two", () -> present(away).stream().allMatch(replica -> replica.bodies.size() >= wanted));
        for (Replica replica : present(away)) {
            told.by(replica);
        }
    }

    /** What is done to a replica. */
    private interface Told {
        void by(Replica replica) throws IOException;
    }

    private void awaitInStepWithoutAnotherCopy(RaftPeer away) {
        int wanted = appended + 40;
        Replica begun = trio.replica(away);
        trio.until(
                wanted + " entries everywhere, or another copy",
                () -> begun.replaced
                        || appendSome(wanted)
                                && trio.replicas().stream().allMatch(replica -> replica.bodies.size() >= wanted));
        assertThat(begun.replaced).as("it copies again").isFalse();
    }

    /** Goal: one that was cut off while it ran is told by its leader, without a restart. */
    @Test
    void shouldCopyWhenItComesBackWithoutARestartAndLeadLater() throws IOException {
        RaftPeer leader = trio.awaitLeader(0);
        RaftPeer away = trio.others(leader).get(0);
        appendTo(50);
        trio.awaitEverywhere(50);
        trio.network.cutOff(away);
        deleteBehind(away);

        trio.network.heal(away);
        untilReplaced(away);
        trio.awaitEverywhere(appended);
        long epoch = Math.max(trio.replica(leader).epoch, epochOfLeader());
        RaftPeer third = trio.others(leader).get(1);
        trio.close(third);
        trio.network.cutOff(leader);
        trio.open(third);
        RaftPeer next = trio.awaitLeader(epoch);
        trio.network.heal(leader);
        trio.until("its end", () -> trio.replica(leader).ended > 0);
        assertThat(next).isNotEqualTo(leader);
        trio.replica(next).append(++appended, 1000, true);
        trio.awaitEverywhere(appended);

        assertSameFiles();
    }

    /** Goal: the one that copies is needed for the majority, so nothing of the new epoch can be committed before it has. */
    @Test
    void shouldCopyFromALeaderThatCanCommitNothingWithoutIt() throws IOException {
        RaftPeer away = leaveBehind();
        RaftPeer leader = trio.awaitLeader(0);
        trio.close(leader);

        comesBack(away);
        trio.awaitLeader(0);
        trio.awaitEverywhere(appended);
        trio.open(leader);
        trio.awaitEverywhere(appended);

        assertSameFiles();
    }

    /** Goal: whatever is there of a copy when the process dies, the next start begins with a log that counts. */
    @Test
    void shouldBeginWithWhatItHadWhenItEndedInTheMiddleOfACopy() throws IOException {
        RaftPeer away = leaveBehind();
        Path arriving = trio.directory(away).resolveSibling("arriving");
        Files.createDirectories(arriving.resolve("log"));
        Files.write(arriving.resolve("log").resolve("0000000000000001.log"), new byte[1000]);

        trio.open(away);
        assertThat(arriving).doesNotExist();
        assertThat(trio.replica(away).bodies.size()).isLessThan(appended);
        untilReplaced(away);
        trio.awaitEverywhere(appended);

        assertSameFiles();
    }

    /** Goal: the vote is the replica's own; a log of another must never bring another's, nor take it away. */
    @Test
    void shouldKeepItsVoteWhereverACrashInterruptsTheReplacing() throws IOException {
        for (int step = 0; step < 4; step++) {
            Path shard = Files.createDirectories(directory.resolve("step-" + step));
            ReplicaFiles files = new ReplicaFiles(shard.resolve("log"));
            write(files.log().resolve("raft.vote"), "mine");
            write(files.log().resolve("1.log"), "old");
            write(files.image().resolve("image-0"), "old");
            write(files.arrived().resolve("log").resolve("1.log"), "new");
            write(files.arrived().resolve("image").resolve("image-0"), "new");
            if (step > 0) {
                write(files.arrived().resolve("log").resolve("raft.vote"), "mine");
            }
            if (step > 1) {
                Files.move(files.log(), shard.resolve("log-before"));
            }
            if (step > 2) {
                Files.move(files.arrived().resolve("log"), files.log());
            }

            assertThat(files.settle()).isTrue();
            assertThat(files.settle()).isFalse();

            assertThat(files.log().resolve("raft.vote")).as("step %d", step).hasContent("mine");
            assertThat(files.log().resolve("1.log")).hasContent("new");
            assertThat(files.image().resolve("image-0")).hasContent("new");
            try (Stream<Path> all = Files.list(shard)) {
                assertThat(all).containsExactlyInAnyOrder(files.log(), files.image());
            }
        }
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** One that is closed, and lacks what the two others have deleted. */
    private RaftPeer leaveBehind() throws IOException {
        RaftPeer away = trio.others(trio.awaitLeader(0)).get(0);
        appendTo(50);
        trio.awaitEverywhere(50);
        trio.close(away);
        deleteBehind(away);
        return away;
    }

    private void deleteBehind(RaftPeer away) throws IOException {
        while (!haveAllButOneDeleted(away)) {
            appendTo(appended + 100);
            int wanted = appended;
            trio.until(
                    "entries at two",
                    () -> present(away).stream().allMatch(replica -> replica.bodies.size() >= wanted));
            for (Replica replica : present(away)) {
                replica.storeImage();
            }
            trio.clock.skip(Duration.ofSeconds(11));
        }
    }

    private boolean haveAllButOneDeleted(RaftPeer away) {
        return present(away).stream().allMatch(replica -> replica.log.status().firstIndex() > 100);
    }

    private List<Replica> present(RaftPeer away) {
        return trio.peers.stream()
                .filter(peer -> !peer.equals(away))
                .map(trio::replica)
                .toList();
    }

    private void untilReplaced(RaftPeer away) throws IOException {
        Replica before = trio.replica(away);
        trio.until("a copy", () -> {
            appendSome(appended + 1);
            return before.replaced;
        });
        trio.succeed();
        assertThat(before.stopped).isEmpty();
        assertThat(trio.replica(away)).isNotSameAs(before);
    }

    private void appendTo(int wanted) {
        trio.until(wanted + " appended", () -> appendSome(wanted));
    }

    /** Appends at whoever leads, as much as the engine takes at once. */
    private boolean appendSome(int wanted) {
        for (Replica replica : trio.replicas()) {
            boolean leads = replica.leads()
                    && replica.log.isLeased()
                    && replica.log.status().lastIndex() == replica.log.status().committedIndex();
            if (leads && replica.epoch != appendedIn) {
                appendedIn = replica.epoch;
                appended = replica.bodies.size(); // What the leader before had not committed is gone.
            }
            if (leads && replica.bodies.size() == appended) {
                for (int i = 0; i < 20 && appended < wanted; i++) {
                    replica.append(++appended, 1000, true);
                }
            }
        }
        return appended >= wanted;
    }

    private long epochOfLeader() {
        return trio.replicas().stream()
                .mapToLong(replica -> replica.epoch)
                .max()
                .orElseThrow();
    }

    /** From the first entry that all have, to the last that is committed everywhere. */
    private void assertSameFiles() {
        long end = trio.replicas().stream()
                .mapToLong(replica -> replica.log.status().committedIndex())
                .min()
                .orElseThrow();
        trio.peers.forEach(trio::close);
        List<List<String>> all = trio.peers.stream().map(this::entries).toList();
        long first =
                all.stream().mapToLong(entries -> index(entries.get(0))).max().orElseThrow();
        assertThat(first).isBetween(2L, end);
        List<List<String>> common = all.stream()
                .map(entries -> entries.stream()
                        .filter(entry -> index(entry) >= first && index(entry) <= end)
                        .toList())
                .toList();
        assertThat(common.get(0)).hasSize((int) (end - first + 1));
        assertThat(common).allSatisfy(entries -> assertThat(entries).isEqualTo(common.get(0)));
    }

    private List<String> entries(RaftPeer peer) {
        try {
            return trio.entriesOf(peer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long index(String entry) {
        return Long.parseLong(entry.substring(0, entry.indexOf('/')));
    }

    private static List<Integer> numbers(int to) {
        return IntStream.rangeClosed(1, to).boxed().toList();
    }
}
