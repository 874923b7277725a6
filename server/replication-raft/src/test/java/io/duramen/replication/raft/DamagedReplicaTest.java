package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.log.DamagedLogException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica whose log is damaged begins anew with what the others have, and nothing that was acknowledged is lost by that. */
@Timeout(120)
class DamagedReplicaTest {
    private static final int ENTRIES = 300;

    @TempDir
    Path directory;

    private Trio trio;
    private RaftPeer leader;
    private int appended;

    @BeforeEach
    void fill() throws IOException {
        trio = new Trio(directory);
        leader = trio.awaitLeader(0);
        append(ENTRIES);
        trio.awaitEverywhere(ENTRIES);
    }

    @AfterEach
    void close() {
        trio.close();
    }

    @Test
    void shouldBeginAnewWhenScrubbingFindsAFollowersLogDamaged() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        damage(follower);

        awaitLeaving(follower);
        assertThat(trio.mending(follower).damage())
                .contains(first(follower).getFileName().toString());
        trio.beginAnew(follower);

        append(20);
        requireAllEverywhere();
        assertThat(trio.mending(follower).damage()).isEmpty();
    }

    @Test
    void shouldBeginAnewWhenTheLogCannotBeOpened() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        trio.close(follower);
        damage(follower);
        Files.delete(indexOf(first(follower)));
        assertThatThrownBy(() -> trio.open(follower)).hasCauseInstanceOf(DamagedLogException.class);
        append(20);

        trio.mending(follower).requireAnother("as recovery says");
        trio.beginAnew(follower);

        requireAllEverywhere();
    }

    @Test
    void shouldHandOverFirstWhenTheLeadersLogIsDamaged() throws IOException {
        long epoch = trio.replica(leader).epoch;
        damage(leader);
        scrub();
        trio.until("the end of its leadership", () -> trio.replica(leader).ended == epoch);
        trio.beginAnew(leader);
        RaftPeer next = trio.awaitLeader(epoch);
        assertThat(next).isNotEqualTo(leader);

        awaitLeaving(leader);
        trio.beginAnew(leader);

        append(20);
        requireAllEverywhere();
    }

    @Test
    void shouldBeginAnewOneAfterTheOtherWhenTwoLogsAreDamaged() throws IOException {
        List<RaftPeer> followers = trio.others(leader);
        followers.forEach(this::damage);
        scrub();
        trio.until("one to leave", () -> followers.stream().anyMatch(this::leaves));
        RaftPeer first = followers.stream().filter(this::leaves).findFirst().orElseThrow();
        RaftPeer second = followers.get(1 - followers.indexOf(first));

        trio.beginAnew(first);
        assertThat(leaves(second)).as("it waits until the first is back").isFalse();
        trio.until("the second to leave, too", () -> leaves(second));
        append(20);
        trio.beginAnew(second);

        requireAllEverywhere();
    }

    /** Goal: whom a damaged leader hands over to is not one that would only hand over in turn. */
    @Test
    void shouldBeginAnewWhenTheLeadersLogAndAnothersAreDamaged() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        damage(leader);
        damage(follower);
        scrub();
        for (int mended = 0; mended < 2; ) {
            trio.until("one that is over", () -> trio.replicas().stream().anyMatch(DamagedReplicaTest::isOver));
            RaftPeer over = trio.peers.stream()
                    .filter(peer -> isOver(trio.replica(peer)))
                    .findFirst()
                    .orElseThrow();
            mended += leaves(over) ? 1 : 0;
            trio.beginAnew(over);
        }
        append(20);
        requireAllEverywhere();
    }

    private static boolean isOver(Replica replica) {
        return replica.replaced || replica.ended > 0;
    }

    @Test
    void shouldNotLeaveWhileAnotherIsAway() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        RaftPeer away = trio.others(leader).get(1);
        trio.close(away);
        damage(follower);
        scrub();
        trio.until("damage found", () -> trio.mending(follower).isNeeded());
        for (int i = 0; i < 10; i++) {
            append(10);
            trio.clock.skip(Duration.ofSeconds(1));
        }
        assertThat(leaves(follower)).isFalse();

        trio.open(away);
        trio.until("it to leave", () -> leaves(follower));
        trio.beginAnew(follower);
        requireAllEverywhere();
    }

    /** Goal: an entry that it had acknowledged, and that only one other has, is in what it copies. */
    @Test
    void shouldHaveWhatItHadAcknowledgedWhenTheLeaderIsLostAfterwards() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        RaftPeer other = trio.others(leader).get(1);
        damage(follower);
        awaitLeaving(follower);
        append(50);
        trio.beginAnew(follower);
        trio.network.cutOff(other);
        append(50);
        trio.until("entries at two", () -> trio.replica(follower).bodies.size() >= appended);
        long epoch = trio.replica(leader).epoch;
        trio.network.cutOff(leader);
        trio.network.heal(other);

        assertThat(trio.awaitLeader(epoch)).isEqualTo(follower);
        trio.network.heal(leader);
        trio.until("its end", () -> trio.replica(leader).ended > 0);
        append(10);
        requireAllEverywhere();
    }

    @Test
    void shouldAskBeforeItLeavesWhenReplayMeetsDamage() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        trio.close(follower);
        damage(follower);
        trio.open(follower);
        trio.until("damage found", () -> trio.mending(follower).isNeeded());
        trio.until("it to leave", () -> leaves(follower));
        assertThat(trio.mending(follower).isBegun()).as("it was let leave").isTrue();
        assertThat(trio.replica(follower).stopped).isEmpty();

        trio.beginAnew(follower);
        append(20);
        requireAllEverywhere();
    }

    /** Goal: who cannot read on, and cannot be spared, stores and votes for the others. */
    @Test
    void shouldGoOnStoringWhenReplayMeetsDamageAndItIsNeeded() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        RaftPeer away = trio.others(leader).get(1);
        trio.close(follower);
        damage(follower);
        trio.open(follower);
        trio.close(away);
        trio.clock.skip(Duration.ofSeconds(3)); // It is not in sync any more.
        trio.until("damage found", () -> trio.mending(follower).isStuck());
        awaitServing();
        append(50);
        assertThat(leaves(follower)).isFalse();
        assertThat(trio.replica(follower).stopped).isEmpty();

        trio.open(away);
        trio.until("it to leave", () -> leaves(follower));
        trio.beginAnew(follower);
        requireAllEverywhere();
    }

    /** Goal: neither a scrub nor a consumer finds it, but the engine, which reads it for one that was away. */
    @Test
    void shouldHandOverWhenTheLeadersEngineReadsWhatIsDamaged() throws IOException {
        RaftPeer away = trio.others(leader).get(0);
        trio.close(away);
        append(5 * ENTRIES); // More than the engine has on its way, or in memory, for one that is away.
        long epoch = trio.replica(leader).epoch;
        List<Path> segments = segments(leader);
        damage(segments.get(segments.size() * 9 / 10));
        trio.open(away);
        trio.until("the end of its leadership", () -> trio.replica(leader).ended == epoch);
        assertThat(trio.mending(leader).isNeeded()).isTrue();
        assertThat(trio.replica(leader).stopped).isEmpty();
        trio.beginAnew(leader);
        awaitServing();
        assertThat(trio.awaitLeader(epoch)).isNotEqualTo(leader);

        trio.until("it to leave", () -> leaves(leader) || !trio.mending(leader).isNeeded());
        if (leaves(leader)) {
            trio.beginAnew(leader);
        }
        append(20);
        requireAllEverywhere();
    }

    @Test
    void shouldComeBackWithItsOldLogWhenNobodyLeadsForLong() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        RaftPeer other = trio.others(leader).get(1);
        damage(follower);
        awaitLeaving(follower);
        trio.close(other);
        trio.beginAnew(follower);
        assertThat(trio.mending(follower).isBegun()).isFalse();
        assertThat(trio.mending(follower).damage()).isNotEmpty();
        awaitServing();
        append(20);

        trio.open(other);
        trio.until("it to leave", () -> leaves(follower));
        trio.beginAnew(follower);
        requireAllEverywhere();
    }

    /** Goal: a node that is told to end does not wait for the rest of a copy. */
    @Test
    void shouldLeaveEverythingAsItWasWhenItIsGivenUpInTheMiddle() throws IOException {
        RaftPeer follower = trio.others(leader).get(0);
        damage(follower);
        awaitLeaving(follower);
        AtomicInteger asked = new AtomicInteger();
        assertThatThrownBy(() -> trio.replace(follower, () -> asked.incrementAndGet() > 5))
                .hasRootCauseInstanceOf(IOException.class);
        assertThat(trio.directory(follower).resolveSibling("arrived")).doesNotExist();
        assertThat(trio.mending(follower).isBegun()).isTrue();

        trio.beginAnew(follower);
        append(20);
        requireAllEverywhere();
    }

    /** One that was chosen before it knew that it could not lead begins again, as on a node. */
    private void awaitServing() throws IOException {
        while (trio.replicas().stream().noneMatch(Replica::leads)) {
            trio.until(
                    "one that leads or hands over",
                    () -> trio.replicas().stream().anyMatch(replica -> replica.leads() || replica.replaced));
            for (RaftPeer over : trio.peers) {
                if (trio.replica(over) != null && leaves(over)) {
                    trio.beginAnew(over);
                }
            }
        }
    }

    private void awaitLeaving(RaftPeer peer) {
        scrub();
        trio.until("it to leave", () -> leaves(peer));
    }

    private boolean leaves(RaftPeer peer) {
        return trio.replica(peer).replaced;
    }

    /** The time when full segments are looked through has come. */
    private void scrub() {
        trio.clock.skip(Duration.ofHours(2));
    }

    private void append(int count) {
        int wanted = appended + count;
        trio.until(wanted + " appended", () -> {
            trio.replicas().stream()
                    .filter(replica -> replica.leads() && replica.log.isLeased())
                    .filter(replica -> replica.bodies.size() == appended)
                    .findFirst()
                    .ifPresent(replica -> {
                        for (int i = 0; i < 20 && appended < wanted; i++) {
                            replica.append(++appended, 1000, true);
                        }
                    });
            return trio.replicas().stream().anyMatch(replica -> replica.leads() && replica.bodies.size() >= wanted);
        });
    }

    private void damage(RaftPeer peer) {
        damage(first(peer));
    }

    private static void damage(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path first(RaftPeer peer) {
        return segments(peer).get(0);
    }

    private List<Path> segments(RaftPeer peer) {
        try (Stream<Path> files = Files.list(trio.directory(peer))) {
            return files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path indexOf(Path segment) {
        return segment.resolveSibling(segment.getFileName().toString().replace(".log", ".index"));
    }

    /** Of all three the logs hold every entry, intact. */
    private void requireAllEverywhere() throws IOException {
        trio.awaitEverywhere(appended);
        for (Replica replica : trio.replicas()) {
            assertThat(replica.bodies)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, appended).boxed().toList());
        }
        trio.peers.forEach(trio::close);
        List<String> entries = trio.entriesOf(trio.peers.get(0));
        assertThat(entries).hasSizeGreaterThanOrEqualTo(appended);
        for (RaftPeer peer : trio.peers) {
            List<String> here = trio.entriesOf(peer);
            int common = Math.min(here.size(), entries.size());
            assertThat(common).isGreaterThanOrEqualTo(appended);
            assertThat(here.subList(0, common)).isEqualTo(entries.subList(0, common));
        }
    }
}
