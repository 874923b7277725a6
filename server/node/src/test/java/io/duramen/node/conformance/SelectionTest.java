package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.QueueBrowser;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Section 3.8.1, sentence by sentence: what a selector says of a message that was sent, which is true, false or unknown. The
 * broker's own tests go through the grammar and compare it with a second evaluator.
 */
class SelectionTest extends OnANode {
    private static final String TRUE = "true";
    private static final String FALSE = "false";

    @BeforeEach
    void sendTheMessage() throws Exception {
        Message message = session.createTextMessage("body");
        message.setStringProperty("NumberOfOrders", "2");
        message.setStringProperty("quoted", "literal's");
        message.setStringProperty("phone", "12993");
        message.setStringProperty("word", "lose");
        message.setStringProperty("underscored", "_foo");
        message.setStringProperty("Country", "UK");
        message.setIntProperty("age", 17);
        message.setByteProperty("small", (byte) -57);
        message.setLongProperty("wide", Long.MAX_VALUE);
        message.setDoubleProperty("weight", 6.2);
        message.setFloatProperty("half", 0.5f);
        message.setBooleanProperty("yes", true);
        message.setBooleanProperty("no", false);
        message.setObjectProperty("nothing", null);
        message.setStringProperty("JMSXGroupID", "g");
        message.setJMSType("car");
        message.setJMSCorrelationID("c");
        MessageProducer producer = session.createProducer(queue);
        producer.send(message, DeliveryMode.NON_PERSISTENT, 7, 0);
    }

    private boolean selects(String selector) throws Exception {
        try (QueueBrowser browser = session.createBrowser(queue, selector)) {
            return browser.getEnumeration().hasMoreElements();
        }
    }

    /** What is neither selected nor selected when negated is unknown. */
    private void holds(String selector, String truth) throws Exception {
        assertThat(selects(selector)).as(selector).isEqualTo(truth.equals(TRUE));
        assertThat(selects("NOT (" + selector + ")")).as("not " + selector).isEqualTo(truth.equals(FALSE));
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            quoted = 'literal''s'                      | true
            age = 17 AND small = -57 AND age <> +62    | true
            wide = 9223372036854775807                 | true
            age = 0x11 AND age = 021 AND age = 1_7     | true
            weight = 62E-1 AND weight > -57.9E2        | true
            weight < 7. AND half = .5                  | true
            yes = TRUE AND no = false                  | true
            yes                                        | true
            NOT no                                     | true
            Age = 17                                   | unknown
            age = 17 Or age = 18                       | true
            NumberOfOrders > 1                         | false
            NumberOfOrders = '2'                       | true
            JMSXGroupID = 'g'                          | true
            JMSXAppID = 'a'                            | unknown
            JMS_Vendor_Thing IS NULL                   | true
            JMSType = 'car' AND JMSCorrelationID = 'c' | true
            JMSPriority = 7 AND JMSTimestamp > 0       | true
            JMSMessageID LIKE 'ID:%'                   | true
            """)
    void shouldReadLiteralsAndIdentifiers(String selector, String truth) throws Exception {
        holds(selector, truth);
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            no AND no OR yes                          | true
            no AND (no OR yes)                        | false
            NOT no AND no                             | false
            age = 17.0 AND half = 0.5 AND age > half  | true
            age = '17'                                | false
            age <> '17'                               | false
            yes = 'TRUE'                              | false
            quoted <> 'x' AND yes <> no               | true
            2 + 3 * 5 = age                           | true
            (2 + 3) * 5 = age                         | false
            -age + 34 = +age                          | true
            age / 2 = 8 AND age / 2.0 = 8.5           | true
            age BETWEEN 15 AND 19                     | true
            age NOT BETWEEN 15 AND 16                 | true
            age BETWEEN 17 AND 17                     | true
            Country IN ('UK', 'US', 'France')         | true
            Country NOT IN ('UK', 'US', 'France')     | false
            Country IN ('Peru')                       | false
            phone LIKE '12%3'                         | true
            phone LIKE '12%4'                         | false
            word LIKE 'l_se'                          | true
            word LIKE 'l_s'                           | false
            phone NOT LIKE '12%3'                     | false
            underscored LIKE '\\_%' ESCAPE '\\'       | true
            word LIKE '\\_%' ESCAPE '\\'              | false
            nothing IS NULL AND absent IS NULL        | true
            age IS NOT NULL                           | true
            JMSReplyTo_ IS NULL OR yes                | refused
            """)
    void shouldCompareAndCalculate(String selector, String truth) throws Exception {
        if (truth.equals("refused")) {
            assertThatThrownBy(() -> selects(selector)).isInstanceOf(InvalidSelectorException.class);
        } else {
            holds(selector, truth);
        }
    }

    @ParameterizedTest
    @Section("3.8.1.1")
    @ValueSource(
            strings = {
                "age =",
                "age = 17 AND",
                "(age = 17",
                "Country IN ()",
                "Country IN (1)",
                "'a' LIKE 'b'",
                "word LIKE 'l' ESCAPE 'xx'",
                "NULL = 1",
                "BETWEEN = 1",
                "ESCAPE = 1",
                "TRUE IS NULL",
                "word > 'a'",
                "yes >= TRUE",
                "age = \"17\"",
                "1age = 1",
                "JMSDestination = 'q'",
                "JMSRedelivered",
                "age = 17 -- a comment"
            })
    void shouldRefuseWhatIsNoSelectorWhereItIsPresented(String selector) {
        for (Action presented : List.<Action>of(
                () -> session.createConsumer(queue, selector),
                () -> session.createBrowser(queue, selector),
                () -> session.createConsumer(topic, selector),
                () -> session.createSharedConsumer(topic, name("s"), selector))) {
            assertThatThrownBy(presented::run).as(selector).isInstanceOf(InvalidSelectorException.class);
        }
    }

    @ParameterizedTest
    @Section("3.8.1.2")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            nothing = 1                       | unknown
            absent <> 'x'                     | unknown
            absent + 1 = 1                    | unknown
            absent BETWEEN 1 AND 2            | unknown
            absent IN ('a')                   | unknown
            nothing NOT IN ('a')              | unknown
            absent LIKE '%'                   | unknown
            nothing NOT LIKE '%'              | unknown
            absent IS NULL                    | true
            absent IS NOT NULL                | false
            yes AND yes                       | true
            yes AND no                        | false
            yes AND absent = 1                | unknown
            no AND no                         | false
            no AND absent = 1                 | false
            absent = 1 AND absent = 2         | unknown
            yes OR no                         | true
            yes OR absent = 1                 | true
            no OR no                          | false
            no OR absent = 1                  | unknown
            absent = 1 OR absent = 2          | unknown
            NOT yes                           | false
            NOT (absent = 1)                  | unknown
            """)
    void shouldKnowThreeTruthsWhereAValueIsNull(String selector, String truth) throws Exception {
        holds(selector, truth);
    }

    @ParameterizedTest
    @Section("3.8.1.3")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            JMSDeliveryMode = 'NON_PERSISTENT'  | true
            JMSDeliveryMode = 'PERSISTENT'      | false
            JMSDeliveryMode = 1                 | false
            JMSTimestamp BETWEEN 1 AND 9000000000000 | true
            """)
    void shouldNameDeliveryModesAndCountTimesInMillis(String selector, String truth) throws Exception {
        holds(selector, truth);
    }
}
