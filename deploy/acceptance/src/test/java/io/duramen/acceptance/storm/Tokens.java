package io.duramen.acceptance.storm;

import io.duramen.acceptance.branch.TokenRing;
import io.duramen.acceptance.history.Report;
import io.duramen.acceptance.process.ClusterProcess;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.transaction.xa.XAException;

/**
 * Tokens that branches of distributed transactions, and local ones, move round a ring of queues: in the end each is there, once. Used by
 * the thread that runs the storm.
 */
final class Tokens implements Company {
    private static final int TOKENS = 30;
    private static final int MOVERS_EACH = 1;

    private final String name;
    private final ClusterProcess cluster;
    private final SplittableRandom random;
    private TokenRing ring;

    /** @param name what failures say */
    Tokens(String name, ClusterProcess cluster, long seed) {
        this.name = name;
        this.cluster = cluster;
        random = new SplittableRandom(seed);
    }

    @Override
    public void start() throws JMSException {
        ring = new TokenRing(name, cluster.url(), TOKENS);
        ring.start(MOVERS_EACH, random);
    }

    @Override
    public void stop() throws InterruptedException {
        ring.stop();
    }

    @Override
    public void judge(Report report) throws JMSException, XAException {
        List<String> surplus = new ArrayList<>(ring.drain());
        for (String token : ring.tokens()) {
            if (!surplus.remove(token)) {
                report.violated(Report.Promise.TOKENS, token + " is lost");
            }
        }
        surplus.forEach(token -> report.violated(Report.Promise.TOKENS, token + " is there once more"));
        report.fact("tokens: " + ring);
    }

    @Override
    public void close() {
        if (ring != null) {
            ring.close();
        }
    }
}
