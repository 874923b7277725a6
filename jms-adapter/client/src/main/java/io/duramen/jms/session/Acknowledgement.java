package io.duramen.jms.session;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.branch.Enlistment;
import io.duramen.jms.delivery.Delivery;
import io.duramen.jms.delivery.Flow;
import io.duramen.jms.delivery.Flow.Settling;
import io.duramen.jms.delivery.Owing;
import io.duramen.jms.delivery.Settlement;
import io.duramen.jms.message.AcknowledgeHook;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** One thread at a time: its session's. What an acknowledge mode does at the moments where the modes differ. */
abstract class Acknowledgement {
    private static final int AUTO_GATHER = 64;

    private final int mode;

    private Acknowledgement(int mode) {
        this.mode = mode;
    }

    /** @throws JMSException for a number that is no mode */
    static Acknowledgement of(int mode) throws JMSException {
        return switch (mode) {
            case Session.AUTO_ACKNOWLEDGE -> new Automatic(mode);
            case Session.DUPS_OK_ACKNOWLEDGE -> new Lazy(mode);
            case Session.CLIENT_ACKNOWLEDGE -> new ByClient(mode);
            case Session.SESSION_TRANSACTED -> new ByTransaction(mode);
            case AcknowledgeModes.INDIVIDUAL -> new Individually(mode);
            case AcknowledgeModes.NONE -> new Never(mode);
            default -> throw new JMSException("no session has the acknowledge mode " + mode);
        };
    }

    /** What a transaction manager has to say. */
    static Acknowledgement of(Enlistment enlistment) {
        return new InBranches(enlistment);
    }

    final int mode() {
        return mode;
    }

    Flow flow(ConnectionSettings settings) {
        return flow(settings, AUTO_GATHER, Settling.WHEN_IDLE);
    }

    final Flow flow(ConnectionSettings settings, int gather, Settling settle) {
        return new Flow(settings.prefetch(), settings.prefetchBytes(), settings.prefetchNanos(), gather, settle);
    }

    /** Whether what a receive call returns is accepted by that. */
    abstract boolean acceptsOnReceive();

    /** Whether the session settles what was given; deliveries of a closed consumer are then kept for it. */
    final boolean isSettledBySession() {
        return !acceptsOnReceive();
    }

    /** A listener has returned. */
    abstract void onListened(Owing from, Delivery delivery);

    /** A listener threw. */
    abstract void onListenerFailed(DuramenSession session, Throwable cause) throws JMSException;

    /** For the log: what becomes of a message whose listener threw. */
    String afterFailure() {
        return acceptsOnReceive() ? "given back and comes again" : "left to the session to settle";
    }

    /** What {@code Message.acknowledge()} does to a delivery. */
    AcknowledgeHook hook(DuramenSession session, Owing from, Delivery delivery) {
        return session.hook();
    }

    /** Everything that the session has given is acknowledged. */
    void onAcknowledge(DuramenSession session) throws JMSException {
        // Means something to one mode only.
    }

    /** AUTO_ACKNOWLEDGE: accepted at once, told to the node as soon as the consumer has nothing more to do. */
    private static class Automatic extends Acknowledgement {
        Automatic(int mode) {
            super(mode);
        }

        @Override
        boolean acceptsOnReceive() {
            return true;
        }

        @Override
        void onListened(Owing from, Delivery delivery) {
            from.accept(delivery);
        }

        @Override
        void onListenerFailed(DuramenSession session, Throwable cause) throws JMSException {
            if (cause instanceof UnseenMessageException) {
                session.consumers().release();
            } else {
                session.consumers().giveBack(cause.toString());
            }
        }
    }

    /** Of an XA session: what it is given while it works for a branch is the branch's, the rest is as automatic. */
    private static final class InBranches extends Automatic {
        private final Enlistment enlistment;

        InBranches(Enlistment enlistment) {
            super(Session.AUTO_ACKNOWLEDGE);
            this.enlistment = enlistment;
        }

        @Override
        boolean acceptsOnReceive() {
            return !enlistment.isActive();
        }

        @Override
        void onListened(Owing from, Delivery delivery) {
            if (!enlistment.isActive()) {
                super.onListened(from, delivery);
            }
        }

        @Override
        void onListenerFailed(DuramenSession session, Throwable cause) throws JMSException {
            if (!enlistment.isActive()) {
                super.onListenerFailed(session, cause);
            }
        }
    }

    /** DUPS_OK_ACKNOWLEDGE: as automatic, but told to the node when many have gathered or a moment has passed. */
    private static final class Lazy extends Automatic {
        Lazy(int mode) {
            super(mode);
        }

        @Override
        Flow flow(ConnectionSettings settings) {
            int half = Math.max(1, settings.prefetch() / 2);
            return flow(settings, half, Settling.GATHERED);
        }
    }

    private abstract static class BySession extends Acknowledgement {
        BySession(int mode) {
            super(mode);
        }

        @Override
        boolean acceptsOnReceive() {
            return false;
        }

        @Override
        void onListened(Owing from, Delivery delivery) {
            // Stays given until the session settles it.
        }

        @Override
        void onListenerFailed(DuramenSession session, Throwable cause) {
            // The next message follows; the application recovers or rolls back where it wants to.
        }
    }

    /** CLIENT_ACKNOWLEDGE: the application says when, for all that the session has given it. */
    private static final class ByClient extends BySession {
        ByClient(int mode) {
            super(mode);
        }

        @Override
        void onAcknowledge(DuramenSession session) throws JMSException {
            session.consumers().acceptGiven();
        }
    }

    /** SESSION_TRANSACTED: with the commit. */
    private static final class ByTransaction extends BySession {
        ByTransaction(int mode) {
            super(mode);
        }
    }

    /** {@link AcknowledgeModes#INDIVIDUAL}: the application says when, for each message by itself. */
    private static final class Individually extends BySession {
        Individually(int mode) {
            super(mode);
        }

        @Override
        AcknowledgeHook hook(DuramenSession session, Owing from, Delivery delivery) {
            return message -> {
                session.checkOpen();
                Settlement.accept(session.conversation().link(), from, delivery);
            };
        }

        @Override
        void onAcknowledge(DuramenSession session) throws JMSException {
            session.consumers().acceptGiven();
        }
    }

    /** {@link AcknowledgeModes#NONE}: accepted as soon as it arrives, whatever becomes of it. */
    private static final class Never extends Acknowledgement {
        Never(int mode) {
            super(mode);
        }

        @Override
        Flow flow(ConnectionSettings settings) {
            return flow(settings, AUTO_GATHER, Settling.ON_ARRIVAL);
        }

        @Override
        boolean acceptsOnReceive() {
            return true;
        }

        @Override
        void onListened(Owing from, Delivery delivery) {
            from.accept(delivery); // unless it was when it arrived
        }

        @Override
        void onListenerFailed(DuramenSession session, Throwable cause) {
            // It does not come again: that is what was asked for.
        }

        @Override
        String afterFailure() {
            return "lost, as the session's acknowledge mode has it";
        }
    }
}
