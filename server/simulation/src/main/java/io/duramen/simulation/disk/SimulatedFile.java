package io.duramen.simulation.disk;

import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One file of a {@link SimulatedDisk}; the same confinement. */
final class SimulatedFile implements DiskFile {
    private final SimulatedDisk disk;
    private final SimulatedMedium medium;
    private final String name;

    SimulatedFile(SimulatedDisk disk, String name) {
        this.disk = disk;
        this.medium = disk.medium();
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long length() throws IOException {
        return medium.file(name).visible().length();
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
        disk.blockingCall();
        return medium.file(name).visible().read(position, into);
    }

    @Override
    public void read(long position, ByteBuffer into, IoCompletion<Integer> done) {
        disk.submit(name, new Read(position, into, done));
    }

    @Override
    public void write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
        disk.submit(name, new Write(position, from, done));
    }

    @Override
    public void sync(IoCompletion<Void> done) {
        disk.submit(name, new Sync(done));
    }

    @Override
    public void truncate(long length) throws IOException {
        disk.blockingCall();
        medium.file(name).truncate(length);
    }

    @Override
    public void close() {}

    private final class Read extends Operation<Integer> {
        private final long position;
        private final ByteBuffer into;

        Read(long position, ByteBuffer into, IoCompletion<Integer> done) {
            super("read", SimulatedFile.this.name, done);
            this.position = position;
            this.into = into;
        }

        @Override
        Integer run() throws IOException {
            return medium.file(name).visible().read(position, into);
        }

        @Override
        void fail() {}

        @Override
        void leaveDone() {}

        @Override
        void leaveHalfDone() {}

        @Override
        void powerCut() {}

        @Override
        long position() {
            return position;
        }
    }

    private final class Write extends Operation<Void> {
        private final long position;
        private final ByteBuffer[] from;
        private final byte[] bytes;

        Write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
            super("write", SimulatedFile.this.name, done);
            this.position = position;
            this.from = from;
            this.bytes = SimulatedDisk.bytesOf(from);
        }

        @Override
        Void run() throws IOException {
            if (crc(bytes) != crc(SimulatedDisk.bytesOf(from))) {
                throw new IllegalStateException("a buffer was changed while its write was in flight: " + this);
            }
            StoredFile file = medium.file(name);
            medium.reserve(position + bytes.length - file.visible().length());
            file.write(position, bytes, bytes.length);
            for (ByteBuffer buffer : from) {
                buffer.position(buffer.limit());
            }
            return null;
        }

        @Override
        void fail() {
            leaveHalfDone();
        }

        @Override
        void leaveDone() {
            leave(bytes.length);
        }

        @Override
        void leaveHalfDone() {
            leave(medium.random().below(bytes.length + 1));
        }

        @Override
        void powerCut() {
            leave(bytes.length);
        }

        @Override
        boolean isWrite() {
            return true;
        }

        private void leave(int count) {
            medium.find(name).ifPresent(file -> file.write(position, bytes, count));
        }

        @Override
        long position() {
            return position;
        }

        @Override
        long checksum() {
            return crc(bytes);
        }
    }

    private final class Sync extends Operation<Void> {
        private int covered;

        Sync(IoCompletion<Void> done) {
            super("sync", SimulatedFile.this.name, done);
        }

        @Override
        void begin() {
            medium.find(name).ifPresent(file -> covered = file.unsynced());
        }

        @Override
        Void run() throws IOException {
            medium.file(name).sync(covered);
            return null;
        }

        @Override
        void fail() {
            medium.find(name).ifPresent(file -> file.failSync(medium.random()));
        }

        @Override
        void leaveDone() {}

        @Override
        void leaveHalfDone() {}

        @Override
        void powerCut() {}

        @Override
        boolean isSync() {
            return true;
        }
    }
}
