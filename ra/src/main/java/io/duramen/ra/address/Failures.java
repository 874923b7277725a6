package io.duramen.ra.address;

import io.duramen.jms.link.JmsErrors;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.CommException;
import jakarta.resource.spi.SecurityException;

/** Any thread: holds nothing. The one place where an exception of one contract becomes one of another. */
public final class Failures {
    private Failures() {}

    /** What the server is told of a failure of the client. */
    public static ResourceException toServer(JMSException e) {
        ResourceException told = e instanceof JMSSecurityException
                ? new SecurityException(e.getMessage(), e)
                : new CommException(e.getMessage(), e);
        told.setErrorCode(e.getErrorCode());
        return told;
    }

    /** What the application is told of a failure of the server, or of what is behind it. */
    public static JMSException toApplication(ResourceException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof JMSException known) {
                return known;
            }
        }
        String reason = "the application server has no connection to give: " + e.getMessage();
        return JmsErrors.caused(
                e instanceof SecurityException
                        ? new JMSSecurityException(reason, e.getErrorCode())
                        : new JMSException(reason, e.getErrorCode()),
                e);
    }

    /** Whether the connection has been given up, of which its exception listener was told so. */
    public static boolean isEnd(JMSException told) {
        return JmsErrors.LINK_LOST.equals(told.getErrorCode()) || JmsErrors.OUTCOME_UNKNOWN.equals(told.getErrorCode());
    }
}
