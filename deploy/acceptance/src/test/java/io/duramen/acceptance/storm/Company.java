package io.duramen.acceptance.storm;

import io.duramen.acceptance.history.Report;

/** Works beside the producers and consumers of a storm, and has promises of its own to be kept. Used by the thread that runs the storm. */
interface Company extends AutoCloseable {
    /** Begins, once clients are served. */
    void start() throws Exception;

    /** Ends its work, while clients are served. */
    void stop() throws Exception;

    /** Tells what was broken. */
    void judge(Report report) throws Exception;

    /** Ends what still works. */
    @Override
    void close();
}
