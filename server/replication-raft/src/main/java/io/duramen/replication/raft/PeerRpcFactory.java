package io.duramen.replication.raft;

import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;

/**
 * Gives each replica the client that stands in its {@link Options}; found by the engine by its priority, instead of Bolt.
 * Servers are never made by the engine.
 */
@SPI(name = "duramen", priority = 1_000)
public final class PeerRpcFactory implements RaftRpcFactory {
    /** The engine's options, and the client of the replica that they are for. */
    static final class Options extends NodeOptions {
        private final RpcClient client;

        Options(RpcClient client) {
            this.client = client;
        }
    }

    /** What the engine hands from one method to the next. */
    private record Chosen(RpcClient client) implements ConfigHelper<RpcClient> {
        @Override
        public void config(RpcClient instance) {
            // It is configured.
        }
    }

    @Override
    public void registerProtobufSerializer(String className, Object... arguments) {
        // Frames name their content by numbers of ours.
    }

    @Override
    public ConfigHelper<RpcClient> defaultJRaftClientConfigHelper(RpcOptions options) {
        if (options instanceof Options own) {
            return new Chosen(own.client);
        }
        throw new IllegalStateException("a replica that was not made by " + RaftLog.class.getName());
    }

    @Override
    public RpcClient createRpcClient(ConfigHelper<RpcClient> helper) {
        if (helper instanceof Chosen chosen) {
            return chosen.client;
        }
        throw new IllegalStateException("a client of the engine's own, which has no use here");
    }

    @Override
    public RpcServer createRpcServer(Endpoint endpoint, ConfigHelper<RpcServer> helper) {
        throw new IllegalStateException("a server of the engine's own, which is never started");
    }
}
