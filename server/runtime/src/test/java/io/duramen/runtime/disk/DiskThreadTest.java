package io.duramen.runtime.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DiskThreadTest {
    @TempDir
    Path directory;

    private final Semaphore due = new Semaphore(0);
    private final Completions completions = new Completions();
    private final DiskThread disk = new DiskThread("disk-under-test", completions);
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<String> done = new ArrayList<>();
    private FileChannel channel;

    @BeforeEach
    void open() throws Exception {
        completions.onDue(due::release);
        channel = FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    @AfterEach
    void close() throws Exception {
        mayEnd.countDown();
        disk.finish();
        channel.close();
    }

    private IoCompletion<Void> note(String what) {
        return new IoCompletion<>() {
            @Override
            public void succeeded(Void result) {
                done.add(what);
            }

            @Override
            public void failed(java.io.IOException cause) {
                done.add(what + " failed: " + cause);
            }
        };
    }

    private void write(String text) {
        disk.submit(
                new WriteTask(channel, 0, new ByteBuffer[] {ByteBuffer.wrap(text.getBytes())}, note("write " + text)));
    }

    private void syncSlowly() throws Exception {
        disk.submit(new SyncTask(channel, note("slow sync")) {
            @Override
            Void carryOut() {
                began.countDown();
                boolean waits = true;
                while (waits) {
                    try {
                        mayEnd.await();
                        waits = false;
                    } catch (InterruptedException e) {
                        // The test ends it.
                    }
                }
                return null;
            }
        });
        began.await();
    }

    private void poll(int completed) throws Exception {
        while (completions.poll() + done.size() < completed || done.size() < completed) {
            due.acquire();
        }
    }

    @Test
    void shouldWriteWhileItSyncs() throws Exception {
        syncSlowly();
        write("one");
        write("two");
        completions.poll();
        assertThat(done).containsExactly("write one", "write two");
        ByteBuffer there = ByteBuffer.allocate(10);
        channel.read(there, 0);
        assertThat(new String(there.array(), 0, there.position())).isEqualTo("two");
        mayEnd.countDown();
        poll(3);
        assertThat(done).endsWith("slow sync");
    }

    @Test
    void shouldKeepTheOrderBehindASyncThatWaits() throws Exception {
        syncSlowly();
        disk.submit(new SyncTask(channel, note("sync")));
        write("one");
        completions.poll();
        assertThat(done).isEmpty();
        mayEnd.countDown();
        poll(3);
        assertThat(done).containsExactly("slow sync", "sync", "write one");
    }
}
