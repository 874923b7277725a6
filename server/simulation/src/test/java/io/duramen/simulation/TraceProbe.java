package io.duramen.simulation;

import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import io.duramen.simulation.disk.SimulatedDisk;
import io.duramen.simulation.disk.SimulatedMedium;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Prints the trace hashes of some runs; started as a process of its own to compare JVMs. */
public final class TraceProbe {
    private TraceProbe() {}

    public static void main(String[] arguments) {
        System.out.println(hashes());
    }

    static String hashes() {
        StringBuilder line = new StringBuilder("hashes");
        for (long seed = 1; seed <= 20; seed++) {
            line.append(' ').append(Long.toHexString(diskRun(seed)));
        }
        return line.toString();
    }

    private static long diskRun(long seed) {
        Simulation simulation = new Simulation(seed);
        SimulatedMedium medium = new SimulatedMedium(simulation);
        for (int life = 0; life < 3; life++) {
            SimulatedDisk disk = medium.mount();
            disk.onDue(() -> simulation.after(simulation.random().below(1000), disk::poll));
            String name = "file-" + life;
            disk.allocate(name, 10_000, new Scribble(simulation));
            simulation.runFor(simulation.random().below(2_000_000L));
            medium.cutPower();
        }
        return simulation.trace().hash();
    }

    private record Scribble(Simulation simulation) implements IoCompletion<DiskFile> {
        @Override
        public void succeeded(DiskFile file) {
            for (int i = 0; i < 10; i++) {
                byte[] bytes = new byte[simulation.random().between(1, 900)];
                java.util.Arrays.fill(bytes, (byte) i);
                file.write(simulation.random().below(9_000), new ByteBuffer[] {ByteBuffer.wrap(bytes)}, new Ignored());
                file.sync(new Ignored());
            }
        }

        @Override
        public void failed(IOException cause) {}
    }

    private static final class Ignored implements IoCompletion<Void> {
        @Override
        public void succeeded(Void result) {}

        @Override
        public void failed(IOException cause) {}
    }
}
