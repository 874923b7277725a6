package io.duramen.node.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many connections there may be, all together and from one address. Thread-safe. */
final class ConnectionLimits {
    private final int max;
    private final int maxPerAddress;
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> countByAddress = new ConcurrentHashMap<>();

    ConnectionLimits(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    /** @return why the connection is one too many; where empty, it counts until {@link #release} */
    Optional<String> admit(SocketAddress remote) {
        if (count.incrementAndGet() > max) {
            count.decrementAndGet();
            return Optional.of("network.connections-max=" + max + " is reached");
        }
        InetAddress address = address(remote);
        if (address != null && countByAddress.merge(address, 1, Integer::sum) > maxPerAddress) {
            release(remote);
            return Optional.of("network.connections-per-address-max=" + maxPerAddress + " is reached");
        }
        return Optional.empty();
    }

    void release(SocketAddress remote) {
        count.decrementAndGet();
        InetAddress address = address(remote);
        if (address != null) {
            countByAddress.computeIfPresent(address, (key, number) -> number == 1 ? null : number - 1);
        }
    }

    int count() {
        return count.get();
    }

    private static InetAddress address(SocketAddress remote) {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
