package io.duramen.broker.dedup;

import io.duramen.protocol.record.DedupKey;

/**
 * Where a key belongs in a {@link KeyIndex}: SipHash-1-3 under a secret. Keys come from clients, who may choose them so that
 * any hash which they know crowds them. Nothing that is kept depends on it. Immutable.
 */
final class KeyHash {
    /** Bytes of a key, as the last word tells it. */
    private static final long LENGTH = (long) (2 * Long.BYTES) << Long.SIZE - Byte.SIZE;

    private final long first;
    private final long second;

    KeyHash(long first, long second) {
        this.first = first;
        this.second = second;
    }

    /** @param secret random, known to no client */
    static KeyHash of(long secret) {
        return new KeyHash(secret, ~secret);
    }

    HashedKey hashed(DedupKey key) {
        return hashed(key.high(), key.low());
    }

    HashedKey hashed(long high, long low) {
        return new HashedKey(high, low, of(high, low));
    }

    long of(long high, long low) {
        long v0 = first ^ 0x736f6d6570736575L;
        long v1 = second ^ 0x646f72616e646f6dL;
        long v2 = first ^ 0x6c7967656e657261L;
        long v3 = second ^ 0x7465646279746573L;
        long word = high;
        // Three rounds that each take a word in, and three that mix: written as one, so that nothing is allocated.
        for (int round = 0; round < 6; round++) {
            v3 ^= word;
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32) + v3;
            v2 += v1;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
            if (round == 2) {
                v2 ^= 0xFF;
            }
            word = round == 0 ? low : round == 1 ? LENGTH : 0;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
