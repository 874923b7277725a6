package io.duramen.broker.kit;

import io.duramen.metadata.MetadataStore;
import io.duramen.metadata.ShardImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Keeps the last image in memory; a test may hold completions back or have them fail. Not thread-safe. */
public final class MemoryStore implements MetadataStore {
    private final List<ShardImage> stored = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holds;
    private boolean fails;
    private ShardImage last;

    public void hold() {
        holds = true;
    }

    public void setFailing(boolean failing) {
        fails = failing;
    }

    public void complete() {
        holds = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(Runnable::run);
    }

    /** Every image handed in, in order, those that failed too. */
    public List<ShardImage> stored() {
        return stored;
    }

    public Optional<ShardImage> last() {
        return Optional.ofNullable(last);
    }

    void forget() {
        last = null;
    }

    @Override
    public Optional<ShardImage> load(int shard) {
        return last();
    }

    @Override
    public void store(ShardImage image, Consumer<Optional<IOException>> done) {
        stored.add(image);
        Runnable completion = () -> {
            if (fails) {
                done.accept(Optional.of(new IOException("no space")));
            } else {
                last = image;
                done.accept(Optional.empty());
            }
        };
        if (holds) {
            held.add(completion);
        } else {
            completion.run();
        }
    }
}
