package io.duramen.examples;

/** Draws how far a run is: a bar in place on a terminal, a line for each tenth elsewhere. Used by one thread. */
final class ProgressBar {
    private static final int WIDTH = 40;

    private final boolean terminal = System.console() != null;
    private final long total;
    private long tenths;

    ProgressBar(long total) {
        this.total = total;
    }

    /** @param confirmed and received: of the total */
    void show(long confirmed, long received) {
        if (terminal) {
            int done = (int) (WIDTH * received / total);
            System.out.printf(
                    "\r[%s%s] %3d%%  stored %,d, received %,d",
                    "#".repeat(done), ".".repeat(WIDTH - done), 100 * received / total, confirmed, received);
            System.out.flush();
        } else if (10 * received / total > tenths) {
            tenths = 10 * received / total;
            System.out.printf("%3d%%  stored %,d, received %,d%n", 10 * tenths, confirmed, received);
        }
    }

    /** Leaves the line. */
    void end() {
        if (terminal) {
            System.out.println();
        }
    }
}
