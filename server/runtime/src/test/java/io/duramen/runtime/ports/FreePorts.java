package io.duramen.runtime.ports;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Ports that nobody listens on, below the range that the kernel takes outgoing connections' ports from: while a server is away,
 * whoever connects anywhere could else be given its port, and keep it from coming back; a client that tries again and again
 * even meets itself there.
 */
public final class FreePorts {
    private static final int MIN = 15_000;
    private static final int MAX = 30_000;

    private FreePorts() {}

    /** The first of so many ports in a row that nobody has at the moment. */
    public static int inARow(int count) {
        SplittableRandom random = new SplittableRandom();
        for (int attempt = 0; attempt < 100; attempt++) {
            int first = random.nextInt(MIN, MAX);
            if (IntStream.range(first, first + count).allMatch(FreePorts::isFree)) {
                return first;
            }
        }
        throw new IllegalStateException("no free port from " + MIN + " to " + MAX);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
