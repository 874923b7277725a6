package io.duramen.node.network;

import io.duramen.broker.shard.ShardRequest;
import io.duramen.runtime.agent.Inbox;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes what the network hands to a shard, and keeps it for the test to look at. Thread-safe. */
final class FakeShard implements Inbox<ShardRequest> {
    private final LinkedBlockingQueue<ShardRequest> requests = new LinkedBlockingQueue<>();

    @Override
    public void put(ShardRequest item) {
        requests.add(item);
    }

    @Override
    public void wake() {}

    @Override
    public int drain(Consumer<? super ShardRequest> handler, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isEmpty() {
        return requests.isEmpty();
    }

    int size() {
        return requests.size();
    }

    ShardRequest next() throws InterruptedException {
        ShardRequest request = requests.poll(10, TimeUnit.SECONDS);
        if (request == null) {
            throw new AssertionError("nothing reached the shard");
        }
        return request;
    }

    /** The next request, taken as handled. */
    ShardRequest.FromClient nextFrame() throws InterruptedException {
        ShardRequest.FromClient request = (ShardRequest.FromClient) next();
        request.connection().handled(request.frame());
        return request;
    }

    ShardRequest.Disconnected nextDisconnected() throws InterruptedException {
        return (ShardRequest.Disconnected) next();
    }
}
