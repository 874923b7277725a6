package io.duramen.simulation.disk;

import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.util.zip.CRC32C;

/** One background operation on a file, and what becomes of it where it is cut short. Confined to the simulation. */
abstract class Operation<T> {
    final String name;
    final IoCompletion<T> done;
    private final String what;

    Operation(String what, String name, IoCompletion<T> done) {
        this.what = what;
        this.name = name;
        this.done = done;
    }

    /** All that was submitted for the file before has been carried out. */
    void begin() {}

    /** Carries it out as it should be. */
    abstract T run() throws IOException;

    /** Does what may have happened where the operation is reported as failed. */
    abstract void fail();

    /** The process was killed after the operation and before its completion. */
    abstract void leaveDone();

    /** The process was killed in the middle of it. */
    abstract void leaveHalfDone();

    /** The power was cut at any time between its submission and its completion. */
    abstract void powerCut();

    boolean isSync() {
        return false;
    }

    boolean isWrite() {
        return false;
    }

    /** For the trace. */
    long position() {
        return 0;
    }

    /** For the trace. */
    long checksum() {
        return 0;
    }

    static long crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    @Override
    public String toString() {
        return what + " " + name;
    }
}
