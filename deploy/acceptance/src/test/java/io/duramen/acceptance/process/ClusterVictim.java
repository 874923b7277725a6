package io.duramen.acceptance.process;

import java.io.IOException;

/** A cluster of which a test kills, halts or cuts off what it likes. Used by one thread. */
public abstract class ClusterVictim implements Victim {
    private final ClusterProcess cluster;

    protected ClusterVictim(ClusterProcess cluster) {
        this.cluster = cluster;
    }

    public final ClusterProcess cluster() {
        return cluster;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        cluster.begin();
        cluster.awaitInSync();
    }

    @Override
    public final String url() {
        return cluster.url();
    }

    @Override
    public final String output() {
        return cluster.output();
    }
}
