package io.duramen.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.message.DuramenTextMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.junit.jupiter.api.Test;

/** How long what a bean may not have seen goes back uncounted. */
class UncountedReturnsTest {
    private final UncountedReturns returns = new UncountedReturns("bean");
    private final Throwable thrown = new IllegalStateException("of the server or of the application");

    private static Message named(String id) throws JMSException {
        Message message = new DuramenTextMessage();
        message.setJMSMessageID(id);
        return message;
    }

    private int allowed(Message message, int times) {
        int allowed = 0;
        for (int i = 0; i < times; i++) {
            allowed += returns.allows(message, thrown) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void shouldAllowSoManyForEachMessageHoweverOthersComeBetween() throws JMSException {
        int one = 0;
        int other = 0;
        for (int i = 0; i < 3 * UncountedReturns.MAX; i++) {
            one += allowed(named("ID:1"), 1);
            other += allowed(named("ID:2"), 1);
        }
        assertThat(one).isEqualTo(UncountedReturns.MAX);
        assertThat(other).isEqualTo(UncountedReturns.MAX);
    }

    @Test
    void shouldBoundThoseWithoutAnIdTogether() throws JMSException {
        assertThat(allowed(named(null), 3) + allowed(named(null), 100)).isEqualTo(UncountedReturns.MAX);
    }

    @Test
    void shouldForgetThatOfWhichNothingWasHeardForLong() throws JMSException {
        allowed(named("ID:old"), UncountedReturns.MAX);
        for (int i = 0; i < 2_000; i++) {
            allowed(named("ID:" + i), 1);
        }
        assertThat(allowed(named("ID:old"), 1)).isEqualTo(1);
    }
}
