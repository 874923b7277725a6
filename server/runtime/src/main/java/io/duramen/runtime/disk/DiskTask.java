package io.duramen.runtime.disk;

import java.io.IOException;

/** One operation on its way: carried out by a disk thread, completed on the agent's thread. */
abstract class DiskTask<T> {
    private final IoCompletion<T> done;
    private T result;
    private IOException failure;

    DiskTask(IoCompletion<T> done) {
        this.done = done;
    }

    abstract T carryOut() throws IOException;

    /** Whether the agent need not be woken for this one alone where {@code next} is carried out right behind it. */
    boolean completesWith(DiskTask<?> next) {
        return false;
    }

    /** Called by the thread that carries it out. */
    final void run() {
        try {
            result = carryOut();
        } catch (IOException e) {
            failure = NoSpace.recognise(e);
        } catch (RuntimeException | OutOfMemoryError e) {
            failure = new IOException(e.toString(), e);
        }
    }

    /** Called by the agent's thread. */
    final void complete() {
        if (failure == null) {
            done.succeeded(result);
        } else {
            done.failed(failure);
        }
    }
}
