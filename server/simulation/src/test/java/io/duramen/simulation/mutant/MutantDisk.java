package io.duramen.simulation.mutant;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.IoCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A disk as it is, but for what subclasses do wrong with its files. Confined as the disk. */
abstract class MutantDisk implements Disk {
    private final Disk disk;

    MutantDisk(Disk disk) {
        this.disk = disk;
    }

    abstract DiskFile mutant(DiskFile file);

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile open(String name) throws IOException {
        return mutant(disk.open(name));
    }

    @Override
    public void allocate(String name, long length, IoCompletion<DiskFile> done) {
        disk.allocate(name, length, mutantOf(done));
    }

    @Override
    public void reuse(String from, String to, ByteBuffer head, IoCompletion<DiskFile> done) {
        disk.reuse(from, to, head, mutantOf(done));
    }

    @Override
    public void rename(String from, String to, IoCompletion<Void> done) {
        disk.rename(from, to, done);
    }

    private IoCompletion<DiskFile> mutantOf(IoCompletion<DiskFile> done) {
        return new IoCompletion<>() {
            @Override
            public void succeeded(DiskFile file) {
                done.succeeded(mutant(file));
            }

            @Override
            public void failed(IOException cause) {
                done.failed(cause);
            }
        };
    }

    @Override
    public void replace(String name, ByteBuffer content, IoCompletion<Void> done) {
        disk.replace(name, content, done);
    }

    @Override
    public void delete(String name, IoCompletion<Void> done) {
        disk.delete(name, done);
    }

    @Override
    public long usableBytes() throws IOException {
        return disk.usableBytes();
    }

    @Override
    public int poll() {
        return disk.poll();
    }

    @Override
    public void onDue(Runnable wake) {
        disk.onDue(wake);
    }

    @Override
    public void awaitDue() {
        disk.awaitDue();
    }

    @Override
    public void close() {
        disk.close();
    }

    /** A file as it is. */
    abstract static class MutantFile implements DiskFile {
        final DiskFile file;

        MutantFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            return file.read(position, into);
        }

        @Override
        public void read(long position, ByteBuffer into, IoCompletion<Integer> done) {
            file.read(position, into, done);
        }

        @Override
        public void write(long position, ByteBuffer[] from, IoCompletion<Void> done) {
            file.write(position, from, done);
        }

        @Override
        public void sync(IoCompletion<Void> done) {
            file.sync(done);
        }

        @Override
        public void truncate(long length) throws IOException {
            file.truncate(length);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
