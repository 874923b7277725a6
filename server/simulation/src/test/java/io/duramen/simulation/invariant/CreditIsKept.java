package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Credit;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Observer;
import java.util.HashMap;
import java.util.Map;

/** A consumer is sent no more messages than it granted, and none once its bytes are used up. */
public final class CreditIsKept implements Observer {
    private static final class Account {
        private long messages;
        private long bytes;
        private long messagesInInbox;
        private long bytesInInbox;
    }

    private final Map<Long, Account> accounts = new HashMap<>();

    @Override
    public void attaching(Attachment attachment, Attach.Request request) {
        accounts.put(attachment.number(), new Account());
    }

    @Override
    public void crediting(Attachment attachment, Credit.Push credit) {
        Account account = accounts.get(attachment.number());
        account.messages += credit.messages();
        account.bytes += credit.bytes();
        account.messagesInInbox += credit.messages();
        account.bytesInInbox += credit.bytes();
    }

    @Override
    public void credited(Attachment attachment, Credit.Push credit) {
        Account account = accounts.get(attachment.number());
        account.messagesInInbox -= credit.messages();
        account.bytesInInbox -= credit.bytes();
    }

    @Override
    public void drained(Attachment attachment) {
        Account account = accounts.get(attachment.number());
        account.messages = account.messagesInInbox;
        account.bytes = account.bytesInInbox;
    }

    @Override
    public void delivering(Attachment attachment, Delivery delivery) {
        Account account = accounts.get(attachment.number());
        if (account.messages <= 0 || account.bytes <= 0) {
            throw new AssertionError(attachment + " is sent " + delivery.place() + " with credit for "
                    + account.messages + " messages and " + account.bytes + " bytes");
        }
        account.messages--;
        account.bytes -= delivery.lengthBytes();
    }
}
