package io.duramen.node.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.broker.shard.OperatorRequest.ListPrepared;
import io.duramen.broker.shard.ShardRequest;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.runtime.agent.MpscInbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operators wait for shards, but not for ever. */
class ShardQuestionsTest {
    private final MpscInbox<ShardRequest> inbox = new MpscInbox<>();

    @Test
    void shouldGiveUpInTimeWhenAShardDoesNotAnswer() {
        ShardQuestions shards = new ShardQuestions(List.of(inbox), Duration.ofMillis(50));
        assertThatThrownBy(() -> shards.askAll(new ListPrepared(), shards.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("management.timeout");
        assertThat(inbox.isEmpty()).isFalse();
    }

    @Test
    void shouldTellWhyAShardRefuses() {
        ShardQuestions shards = new ShardQuestions(List.of(inbox), Duration.ofMinutes(1));
        inbox.wakes(() -> inbox.drain(
                asked -> ((ShardRequest.FromOperator<?>) asked)
                        .answer()
                        .completeExceptionally(new ProtocolException(ErrorCode.SHARD_STOPPED, "stopped")),
                1));
        assertThatThrownBy(() -> shards.ask(0, new ListPrepared(), shards.deadline()))
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.SHARD_STOPPED));
    }

    @Test
    void shouldJoinSelectorsAndQuoteNames() {
        assertThat(Text.both("", " ")).isBlank();
        assertThat(Text.both("a = 1 OR b = 2", "c = 3")).isEqualTo("(a = 1 OR b = 2) AND (c = 3)");
        assertThat(Text.literal("it's")).isEqualTo("'it''s'");
    }
}
