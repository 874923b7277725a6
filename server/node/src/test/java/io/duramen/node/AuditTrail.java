package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/** What operators are said to have done on one node since this began to listen. */
final class AuditTrail implements AutoCloseable {
    private final Logger log = (Logger) LoggerFactory.getLogger("io.duramen.audit");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final String node;

    AuditTrail(String node) {
        this.node = node;
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
    }

    /** The last line names console, node and these. */
    void has(String... parts) {
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .last()
                .asString()
                .startsWith(JmxConsole.USER + " from 127.0.0.1: ")
                .contains(" on node " + node + ": ")
                .contains(parts);
    }

    /** The last line. */
    String last() {
        return lines.list.get(lines.list.size() - 1).getFormattedMessage();
    }

    int size() {
        return lines.list.size();
    }

    @Override
    public void close() {
        log.detachAppender(lines);
        log.setLevel(null);
    }
}
