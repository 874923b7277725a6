package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Answer;
import io.duramen.broker.kit.NodeClient;
import io.duramen.broker.kit.TestNode;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Identify;
import org.junit.jupiter.api.Test;

class ClaimedIdsTest {
    private final TestNode node = TestNode.ofShards(1, 1).started();
    private final NodeClient one = node.aClient();
    private final NodeClient two = node.aClient();
    private final NodeClient three = node.aClient();

    private static Identify.Request claim(long incarnation) {
        return new Identify.Request("me", incarnation);
    }

    @Test
    void shouldGiveAnIdToOneClientUntilItsConnectionEnds() {
        one.asks(claim(1)).isSuccess();
        two.asks(claim(2)).isRefusedWith(ErrorCode.CLIENT_ID_IN_USE);
        two.asks(new Identify.Request("you", 2)).isSuccess();
        assertThat(one.isSuperseded()).isFalse();

        one.vanishes();
        node.run();
        three.asks(claim(3)).isSuccess();
    }

    @Test
    void shouldGiveItToTheSameClientOnceAllItsEarlierConnectionsAreGone() {
        one.asks(claim(1)).isSuccess();
        Answer second = two.asks(claim(1));
        Answer third = three.asks(claim(1));
        assertThat(one.isSuperseded()).isTrue();
        assertThat(two.isSuperseded()).isTrue();
        assertThat(three.isSuperseded()).isFalse();

        two.vanishes();
        node.run();
        third.isMissing();
        one.vanishes();
        node.run();
        third.isSuccess();
        second.isMissing();
        node.aClient().asks(claim(2)).isRefusedWith(ErrorCode.CLIENT_ID_IN_USE);
    }

    @Test
    void shouldLeaveItToWhoHasItWhenTheNextConnectionEndsFirst() {
        one.asks(claim(1)).isSuccess();
        two.asks(claim(1)).isMissing();
        two.vanishes();
        node.run();

        three.asks(claim(2)).isRefusedWith(ErrorCode.CLIENT_ID_IN_USE);
        one.vanishes();
        node.run();
        three.asks(claim(2)).isSuccess();
    }
}
