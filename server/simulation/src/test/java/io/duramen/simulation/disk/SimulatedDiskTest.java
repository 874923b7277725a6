package io.duramen.simulation.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import io.duramen.runtime.disk.NoSpaceException;
import io.duramen.simulation.Simulation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest {
    private static final int LENGTH = 4096;

    private Simulation simulation;
    private SimulatedMedium medium;
    private SimulatedDisk disk;
    private DiskFile file;

    @Test
    void shouldKeepWhatWasSyncedWhenThePowerIsCut() throws IOException {
        for (long seed = 0; seed < 100; seed++) {
            start(seed);
            await(done -> file.write(100, bytes(7, 1500), done));
            await(file::sync);
            file.write(50, bytes(9, 10), ignored());
            medium.cutPower();
            assertThat(Arrays.copyOfRange(medium.content("f"), 100, 1600)).containsOnly(7);
        }
    }

    /** Over many seeds every fate of two unsynced writes is seen: both, none, only the later, and torn ones. */
    @Test
    void shouldLoseAnyPartOfWhatWasNotSyncedWhenThePowerIsCut() throws IOException {
        Set<String> fates = new TreeSet<>();
        for (long seed = 0; seed < 300; seed++) {
            start(seed);
            file.write(0, bytes(1, 1024), ignored());
            file.write(1024, bytes(2, 1024), ignored());
            simulation.runFor(simulation.random().below(80_000L));
            medium.cutPower();
            fates.add(fate(1, 0) + fate(2, 1024));
        }
        assertThat(fates)
                .containsExactlyInAnyOrder(
                        "all all",
                        "all none",
                        "all torn",
                        "none all",
                        "none none",
                        "none torn",
                        "torn all",
                        "torn none",
                        "torn torn");
    }

    @Test
    void shouldKeepWhatWasWrittenWhenTheProcessIsKilled() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            start(seed);
            await(done -> file.write(0, bytes(1, 1024), done));
            medium.killProcess();
            assertThat(fate(1, 0)).isEqualTo("all ");
            medium.mount();
        }
    }

    @Test
    void shouldNotMakeWritesDurableByALaterSyncWhenOneFailed() throws IOException {
        int lost = 0;
        for (long seed = 0; seed < 50; seed++) {
            start(seed);
            await(done -> file.write(0, bytes(1, 1024), done));
            medium.faults().failOperation(1);
            assertThatThrownBy(() -> await(file::sync)).isInstanceOf(IOException.class);
            await(file::sync);
            medium.cutPower();
            lost += fate(1, 0).equals("all ") ? 0 : 1;
        }
        assertThat(lost).isPositive();
    }

    @Test
    void shouldRefuseToAllocateWhenTheQuotaIsReached() {
        start(1);
        medium.faults().quota(LENGTH + 100);
        assertThat(disk.usableBytes()).isEqualTo(100);
        assertThatThrownBy(() -> SimulatedDiskTest.<DiskFile>await(simulation, disk, d -> disk.allocate("g", 101, d)))
                .isInstanceOf(NoSpaceException.class);
    }

    @Test
    void shouldFindTheOldOrTheNewContentWhenThePowerIsCutDuringAReplacement() throws IOException {
        Set<Integer> found = new TreeSet<>();
        for (long seed = 0; seed < 50; seed++) {
            start(seed);
            await(done -> disk.replace("r", ByteBuffer.wrap(new byte[] {1}), done));
            disk.replace("r", ByteBuffer.wrap(new byte[] {2}), ignored());
            medium.cutPower();
            found.add((int) medium.content("r")[0]);
        }
        assertThat(found).containsExactly(1, 2);
    }

    @Test
    void shouldCompleteOperationsOfAFileInTheOrderSubmitted() {
        start(3);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            file.write(i, bytes(i, 1), new Completion<>(() -> order.add(number)));
        }
        assertThat(order).isEmpty();
        simulation.runFor(1_000_000_000L);
        disk.poll();
        assertThat(order).hasSize(20).isSorted();
    }

    private void start(long seed) {
        simulation = new Simulation(seed);
        medium = new SimulatedMedium(simulation);
        disk = medium.mount();
        try {
            file = await(simulation, disk, done -> disk.allocate("f", LENGTH, done));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String fate(int value, int from) {
        byte[] content = medium.content("f");
        int kept = 0;
        for (int i = from; i < from + 1024; i++) {
            kept += content[i] == value ? 1 : 0;
        }
        return (kept == 0 ? "none" : kept == 1024 ? "all" : "torn") + (from == 0 ? " " : "");
    }

    private void await(java.util.function.Consumer<IoCompletion<Void>> operation) throws IOException {
        await(simulation, disk, operation);
    }

    private static <T> T await(
            Simulation simulation, SimulatedDisk disk, java.util.function.Consumer<IoCompletion<T>> operation)
            throws IOException {
        Completion<T> completion = new Completion<>(() -> {});
        operation.accept(completion);
        while (!completion.ended && simulation.step()) {
            disk.poll();
        }
        assertThat(completion.ended).isTrue();
        if (completion.cause != null) {
            throw completion.cause;
        }
        return completion.result;
    }

    private static ByteBuffer[] bytes(int value, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return new ByteBuffer[] {ByteBuffer.wrap(bytes)};
    }

    private static <T> IoCompletion<T> ignored() {
        return new Completion<>(() -> {});
    }

    private static final class Completion<T> implements IoCompletion<T> {
        private final Runnable onEnd;
        private T result;
        private IOException cause;
        private boolean ended;

        Completion(Runnable onEnd) {
            this.onEnd = onEnd;
        }

        @Override
        public void succeeded(T value) {
            result = value;
            ended = true;
            onEnd.run();
        }

        @Override
        public void failed(IOException failure) {
            cause = failure;
            ended = true;
        }
    }
}
