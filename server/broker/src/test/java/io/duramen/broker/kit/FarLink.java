package io.duramen.broker.kit;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** Carries frames between shards that are led by several nodes; loses, repeats and reorders some while it is faulty. */
final class FarLink {
    private record Frame(int to, ByteBuffer bytes) {}

    private static final int AHEAD = 4;

    private final SplittableRandom random;
    private final List<Frame> frames = new ArrayList<>();
    private boolean faulty;

    FarLink(SplittableRandom random) {
        this.random = random;
    }

    void setFaulty(boolean faulty) {
        this.faulty = faulty;
    }

    void carry(int to, ByteBuffer frame) {
        frames.add(new Frame(to, frame));
    }

    /** All that is on its way is lost. */
    void breaks() {
        frames.clear();
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    /** Hands over the next frame, or loses it. */
    void pass(BiConsumer<Integer, ByteBuffer> taker) {
        if (!faulty) {
            Frame frame = frames.remove(0);
            taker.accept(frame.to, frame.bytes);
            return;
        }
        Frame frame = frames.get(random.nextInt(Math.min(AHEAD, frames.size())));
        int fate = random.nextInt(10);
        if (fate > 0) {
            frames.remove(frame);
        }
        if (fate < 9) {
            taker.accept(frame.to, frame.bytes.duplicate());
        }
    }
}
