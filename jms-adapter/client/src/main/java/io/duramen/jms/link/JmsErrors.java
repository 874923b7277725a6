package io.duramen.jms.link;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;

/** Any thread: holds nothing. The one place where an error of the wire becomes an exception of the JMS API. */
public final class JmsErrors {
    /** Error code of an exception whose request may or may not have had its effect. */
    public static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";

    /** Error code of an exception whose request never left. */
    public static final String LINK_LOST = "LINK_LOST";

    private JmsErrors() {}

    /** @return the exception that says it; its error code is the {@link ErrorCode}'s name */
    public static JMSException of(RuntimeException failure) {
        if (failure instanceof ProtocolException refusal) {
            return caused(refused(refusal.code(), refusal.code() + ": " + refusal.getMessage()), failure);
        }
        if (failure instanceof LinkLostException lost) {
            String reason = lost.written() ? lost.getMessage() + "; outcome unknown" : lost.getMessage();
            return caused(new JMSException(reason, lost.written() ? OUTCOME_UNKNOWN : LINK_LOST), failure);
        }
        return caused(new JMSException(String.valueOf(failure), ErrorCode.INTERNAL.name()), failure);
    }

    private static JMSException refused(ErrorCode code, String reason) {
        return switch (code) {
            case AUTHENTICATION_FAILED, NOT_AUTHENTICATED, NOT_AUTHORIZED ->
                new JMSSecurityException(reason, code.name());
            case DESTINATION_NOT_FOUND,
                    DESTINATION_KIND_MISMATCH,
                    INVALID_DESTINATION_NAME,
                    SUBSCRIPTION_NOT_FOUND,
                    TEMPORARY_DESTINATION_FOREIGN -> new InvalidDestinationException(reason, code.name());
            case DESTINATION_IN_USE, CONSUMER_NOT_FOUND, CONSUMER_ENDED, HALF_ENDED ->
                new IllegalStateException(reason, code.name());
            case CLIENT_ID_IN_USE -> new InvalidClientIDException(reason, code.name());
            case INVALID_SELECTOR -> new InvalidSelectorException(reason, code.name());
            case RESOURCE_EXHAUSTED,
                    DESTINATION_FULL,
                    DESTINATION_FULL_WAIT,
                    TOO_FEW_IN_SYNC,
                    NO_MAJORITY,
                    MESSAGE_TOO_LARGE -> new ResourceAllocationException(reason, code.name());
            case LEASE_LOST, TRANSACTION_GIVEN_UP -> new TransactionRolledBackException(reason, code.name());
            default -> new JMSException(reason, code.name());
        };
    }

    /**
     * @param what a frame or a word for what was waited for
     * @param why what is known of that, beginning with a colon; or empty
     */
    static JMSException timedOut(Object what, String why) {
        return new JMSException(
                "no answer to " + name(what) + " within the request timeout" + why + "; outcome unknown",
                OUTCOME_UNKNOWN);
    }

    /** @param what a frame or a word for what was waited for */
    public static JMSException interrupted(Object what) {
        return new JMSException(
                "interrupted while waiting for the answer to " + name(what) + "; outcome unknown", OUTCOME_UNKNOWN);
    }

    private static String name(Object what) {
        return what instanceof Record record && record.getClass().getEnclosingClass() != null
                ? record.getClass().getEnclosingClass().getSimpleName()
                : String.valueOf(what);
    }

    /** @param what a part of the API that this release does not offer */
    public static JMSException missing(String what) {
        return new JMSException(what + " is not available in this release of Duramen", ErrorCode.UNSUPPORTED.name());
    }

    /** Sets both the JMS linked exception and the Java cause. */
    public static <T extends JMSException> T caused(T exception, Throwable cause) {
        if (cause instanceof Exception linked) {
            exception.setLinkedException(linked);
        }
        exception.initCause(cause);
        return exception;
    }

    /** The unchecked twin that the simplified API throws. */
    public static JMSRuntimeException unchecked(JMSException e) {
        String reason = e.getMessage();
        String code = e.getErrorCode();
        if (e instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(reason, code, e);
        } else if (e instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(reason, code, e);
        } else if (e instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(reason, code, e);
        } else if (e instanceof InvalidClientIDException) {
            return new InvalidClientIDRuntimeException(reason, code, e);
        } else if (e instanceof InvalidSelectorException) {
            return new InvalidSelectorRuntimeException(reason, code, e);
        } else if (e instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(reason, code, e);
        } else if (e instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(reason, code, e);
        } else if (e instanceof ResourceAllocationException) {
            return new ResourceAllocationRuntimeException(reason, code, e);
        } else if (e instanceof TransactionInProgressException) {
            return new TransactionInProgressRuntimeException(reason, code, e);
        } else if (e instanceof TransactionRolledBackException) {
            return new TransactionRolledBackRuntimeException(reason, code, e);
        }
        return new JMSRuntimeException(reason, code, e);
    }
}
