package io.duramen.acceptance.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.process.ExampleProcess;
import io.duramen.acceptance.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each example as a reader would run it: its own JVM, the distribution's jars, a started server. */
class ExamplesIT {
    @TempDir
    private static Path directory;

    private static ServerProcess server;

    @BeforeAll
    static void startServer() throws Exception {
        server = ServerProcess.on(directory.resolve("data")).start();
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @Test
    void shouldSendAndReceiveWhenTheQueueExampleRuns() throws Exception {
        assertThat(run("QueueExample"))
                .startsWith("sent 10 orders", "received order 1 from US", "received order 2 from EU")
                .endsWith("received order 10 from EU");
    }

    @Test
    void shouldKeepHeadlinesForTheAbsentWhenTheDurableTopicExampleRuns() throws Exception {
        assertThat(run("DurableTopicExample"))
                .containsExactly(
                        "subscribed, and gone again",
                        "published 3 headlines that nobody listened to",
                        "back again, received headline 1",
                        "back again, received headline 2",
                        "back again, received headline 3",
                        "unsubscribed");
    }

    @Test
    void shouldAnswerWhenTheRequestReplyExampleRuns() throws Exception {
        assertThat(run("RequestReplyExample"))
                .containsExactly("about oak: OAK", "about beech: BEECH", "about ash: ASH");
    }

    @Test
    void shouldKeepAllOrNothingWhenTheTransactedExampleRuns() throws Exception {
        assertThat(run("TransactedExample"))
                .containsExactly(
                        "rolled back order 1",
                        "committed order 1, redelivered: true",
                        "received invoice for order 1",
                        "received parcel for order 1");
    }

    @Test
    void shouldLoadEachLineOnceWhenTheTransactionalProducerExampleRuns() throws Exception {
        assertThat(run("TransactionalProducerExample"))
                .containsExactly(
                        "taken over behind line 0",
                        "loaded lines 1 to 3",
                        "taken over behind line 3",
                        "loaded lines 4 to 6",
                        "the first loader is fenced",
                        "examples.loader.lines has 6 messages",
                        "examples.loader.audit has 6 messages");
    }

    @Test
    void shouldTransformEachReadingOnceWhenTheConsumeTransformProduceExampleRuns() throws Exception {
        assertThat(run("ConsumeTransformProduceExample"))
                .startsWith("the first transformer ends between its work and its commit")
                .filteredOn(line -> line.endsWith("C"))
                .containsExactly("0 C", "10 C", "20 C", "30 C", "40 C");
    }

    @Test
    void shouldBookEachPaymentOnceWhenTheIdempotentConsumerExampleRuns() throws Exception {
        assertThat(run("IdempotentConsumerExample"))
                .containsExactly(
                        "booked 100",
                        "ended before the acknowledgement",
                        "booked already: 100",
                        "booked 200",
                        "booked 300",
                        "balance 600");
    }

    @Test
    void shouldTellOfPlacedOrdersOnlyWhenTheHalfMessageExampleRuns() throws Exception {
        assertThat(run("HalfMessageExample"))
                .containsExactly(
                        "order 1 is placed",
                        "order 2 is refused",
                        "the warehouse is told of order 1",
                        "the warehouse is told of order 3");
    }

    @Test
    void shouldFindWhatWasRefusedWhenTheDeadLetterExampleRuns() throws Exception {
        assertThat(run("DeadLetterExample"))
                .containsExactly(
                        "refused: parcel to Atlantis",
                        "rolled back: parcel to Rome",
                        "delivery 2: parcel to Rome",
                        "dead letter from examples.parcels, refused by its consumer: there is no such place",
                        "again: parcel to Atlantis");
    }

    @Test
    void shouldStoreEachPaymentOnceWhenTheDedupExampleRuns() throws Exception {
        assertThat(run("DedupExample"))
                .containsExactly(
                        "payment 2 is stored: true",
                        "payment 9 is stored: false",
                        "received payment 1",
                        "received payment 2",
                        "received payment 3",
                        "received payment 4",
                        "received payment 5");
    }

    @Test
    void shouldTakeWhatMatchesWhenTheSelectionExampleRuns() throws Exception {
        assertThat(run("SelectionExample"))
                .containsExactly(
                        "taken: bid 4",
                        "taken: bid 6",
                        "taken: bid 8",
                        "still there: bid 1",
                        "still there: bid 2",
                        "still there: bid 3",
                        "still there: bid 5",
                        "still there: bid 7");
    }

    @Test
    void shouldKeepTheOrderOfEachGroupWhenTheMessageGroupExampleRuns() throws Exception {
        assertThat(run("MessageGroupExample"))
                .hasSize(7)
                .contains("order 1: placed, paid, shipped", "order 6: placed, paid, shipped")
                .endsWith("each by one consumer: true");
    }

    @Test
    void shouldDeliverInTimeWhenTheTimedDeliveryExampleRuns() throws Exception {
        assertThat(run("TimedDeliveryExample"))
                .containsExactly("urgent", "as usual", "a second later", "nothing else: true");
    }

    @Test
    void shouldShareWhenTheSharedSubscriptionExampleRuns() throws Exception {
        assertThat(run("SharedSubscriptionExample"))
                .containsExactly("two workers shared 10 quotes", "the archive had 10");
    }

    @Test
    void shouldGiveAgainWhatIsNotDoneWhenTheIndividualAcknowledgeExampleRuns() throws Exception {
        assertThat(run("IndividualAcknowledgeExample"))
                .containsExactly(
                        "done: task 4",
                        "done: task 1",
                        "again: task 2, redelivered: true",
                        "again: task 3, redelivered: true");
    }

    @Test
    void shouldFindWhatItNamesWhenTheJndiExampleRuns() throws Exception {
        assertThat(run("JndiExample")).containsExactly("received a letter");
    }

    @Test
    void shouldReportRatesWhenTheQuickStartRuns() throws Exception {
        assertThat(run("QuickStart", "5000"))
                .anyMatch(line -> line.startsWith("stored "))
                .anyMatch(line -> line.startsWith("received "))
                .anyMatch(line -> line.contains("100%") && line.contains("received 5,000"));
    }

    @Test
    void shouldStreamABodyWhenTheLargeBodyExampleRuns() throws Exception {
        assertThat(run("LargeBodyExample", "20"))
                .containsExactly("sent 20 MiB", "received numbers.bin, 20 MiB, the same");
    }

    /** @return the lines it printed */
    private static List<String> run(String example, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(server.url()));
        all.addAll(List.of(arguments));
        return ExampleProcess.of(example).run(directory, all.toArray(new String[0]));
    }
}
