package io.duramen.broker.shard;

import static io.duramen.broker.kit.TestShard.aShard;
import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.kit.Batches;
import io.duramen.broker.kit.Records;
import io.duramen.broker.kit.TestClient;
import io.duramen.broker.kit.TestConsumer;
import io.duramen.broker.kit.TestShard;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.Commit.PartitionBatch;
import io.duramen.protocol.frame.Publish.Acks;
import io.duramen.protocol.record.HeaderTag;
import java.util.List;
import org.junit.jupiter.api.Test;

/** JMSXUserID (section 3.5.9) says who logged in, and nobody else. */
class UserIdTest {
    private static final String OWN = "anonymous"; // as the test client says

    private final TestShard shard = aShard().started();
    private final TestClient client = shard.aClient().knowsQueue("orders");
    private final TestConsumer consumer = client.consumes("orders").withCredit(100);

    private static Records plain() {
        return Records.aRecord().correlated("c");
    }

    private static Batches lastOf(String first, Records last) {
        return Batches.of(first, "last").each(text -> text.equals("last") ? last : plain());
    }

    @Test
    void shouldStoreWhatNamesTheOneWhoLoggedIn() {
        client.publishes("orders", Acks.ALL, lastOf("m1", plain().sentBy(OWN))).isSuccess();
        assertThat(consumer.receives()).containsExactly("m1", "last");
    }

    @Test
    void shouldRefuseTheBatchWhenOneOfItNamesAnother() {
        for (String other : List.of("anna", "", "anonymou", "anonymous2")) {
            client.publishes("orders", Acks.ALL, lastOf("m1", plain().sentBy(other)))
                    .isRefusedWith(ErrorCode.NOT_AUTHORIZED);
            client.publishes("orders", Acks.NONE, lastOf("m1", plain().sentBy(other)))
                    .isRefusedWith(ErrorCode.NOT_AUTHORIZED);
        }
        assertThat(consumer.receives()).isEmpty();
    }

    @Test
    void shouldRefuseTheTransactionWhenOneOfItNamesAnother() {
        Batches batch = lastOf("m2", plain().sentBy("anna"));
        client.commits(
                        0,
                        List.of(
                                client.aSend("orders", "m1"),
                                new PartitionBatch(client.partitionOf("orders"), batch.batch())),
                        List.of())
                .isRefusedWith(ErrorCode.NOT_AUTHORIZED);
        assertThat(consumer.receives()).isEmpty();
    }

    @Test
    void shouldRefuseTheBatchWhenItSaysThatItNamesSomebodyAndDoesNot() {
        client.publishes("orders", Acks.ALL, lastOf("m1", plain().flaggedWithUserId()))
                .isRefusedWith(ErrorCode.CORRUPT_BATCH);
    }

    /** What the server does not look at means nothing to a selector either. */
    @Test
    void shouldNotBeSeenBySelectorsWhenTheRecordDoesNotSayThatItIsThere() {
        client.knowsTopic("news");
        TestConsumer selecting =
                client.consumer("news", SubscriptionKind.EXCLUSIVE, "").selecting("JMSXUserID IS NOT NULL");
        selecting.attaches().isSuccess();
        selecting.withCredit(10);
        client.publishes("news", Acks.ALL, lastOf("m1", plain().header(HeaderTag.USER_ID, "anna")))
                .isSuccess();
        assertThat(selecting.receives()).isEmpty();
        client.publishes("news", Acks.ALL, lastOf("m2", plain().sentBy(OWN))).isSuccess();
        assertThat(selecting.receives()).containsExactly("last");
    }
}
