package io.duramen.jms.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.frame.BranchId;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BranchTest {
    private static final BranchId ID = new BranchId(1, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.allocate(0));

    private long nowNanos = -5;

    @Test
    void shouldTimeOutOnceItsTimeIsOver() {
        Branch branch = new Branch(ID, 2, () -> nowNanos);
        nowNanos += TimeUnit.SECONDS.toNanos(2);
        assertThat(branch.isTimedOut()).isFalse();
        nowNanos++;
        assertThat(branch.isTimedOut()).isTrue();
    }

    @Test
    void shouldNeverTimeOutWithoutATimeout() {
        Branch branch = new Branch(ID, 0, () -> nowNanos);
        nowNanos = Long.MAX_VALUE - 100;
        assertThat(branch.isTimedOut()).isFalse();
    }
}
