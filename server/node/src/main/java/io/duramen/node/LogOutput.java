package io.duramen.node;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the log of a node that is its own process goes. */
final class LogOutput {
    private static final String CONFIGURATION = "logback.configurationFile";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n";
    private static final int DAYS_KEPT = 14;

    private LogOutput() {}

    /** To be called before any logger is made: log to standard error, unless somebody configured Logback otherwise. */
    static void standardError() {
        if (System.getProperty(CONFIGURATION) == null) {
            System.setProperty(CONFIGURATION, "io/duramen/node/logback-node.xml");
        }
    }

    /** Log to the file, too. */
    static void alsoTo(String file) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setFile(file);
        TimeBasedRollingPolicy<ILoggingEvent> policy = new TimeBasedRollingPolicy<>();
        policy.setContext(context);
        policy.setParent(appender);
        policy.setFileNamePattern(file + ".%d{yyyy-MM-dd}");
        policy.setMaxHistory(DAYS_KEPT);
        policy.start();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setRollingPolicy(policy);
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }
}
