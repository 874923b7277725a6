package io.duramen.jms.session;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.TransactionOutcome;
import jakarta.jms.JMSException;

/** Any thread. Names a local transaction for as long as its node remembers it. */
record TransactionId(int shard, long producerId, int epoch, long sequence) {
    private static final int HEX = 16;

    /** @throws JMSException where the text is none of {@link #toString} */
    static TransactionId parse(String text) throws JMSException {
        String[] parts = text == null ? new String[0] : text.split("-");
        try {
            if (parts.length == 3 || parts.length == 4) {
                return new TransactionId(
                        Integer.parseInt(parts[0]),
                        Long.parseUnsignedLong(parts[1], HEX),
                        parts.length == 3 ? 0 : Integer.parseInt(parts[3]),
                        Long.parseLong(parts[2]));
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new JMSException("'" + text + "' is no transaction id");
    }

    /** Asks the node; where the transaction has not committed, it never will from now on. */
    TransactionOutcome.Verdict ask(Link link) throws JMSException {
        return Call.ask(
                        link,
                        new TransactionOutcome.Request(shard, producerId, epoch, sequence),
                        TransactionOutcome.Response.class)
                .verdict();
    }

    @Override
    public String toString() {
        return shard + "-" + Long.toHexString(producerId) + "-" + sequence + (epoch == 0 ? "" : "-" + epoch);
    }
}
