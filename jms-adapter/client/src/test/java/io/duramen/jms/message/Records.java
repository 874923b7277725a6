package io.duramen.jms.message;

import io.duramen.jms.destination.DuramenDestination;
import io.duramen.jms.destination.DuramenQueue;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** Sends messages through their record, as tests do it. */
final class Records {
    static final DuramenDestination ORDERS = new DuramenQueue("orders");

    private Records() {}

    static SendHeaders send() {
        return new SendHeaders().destination(ORDERS).times(1_000, 0, 0).id(7, 1);
    }

    static ByteBuffer encode(DuramenMessage message) throws JMSException {
        return encode(message, send());
    }

    static ByteBuffer encode(DuramenMessage message, SendHeaders send) throws JMSException {
        BatchBuffer out = new BatchBuffer(16, 5);
        int length = MessageEncoder.encode(message, send, out);
        return out.written().position(5).slice().limit(length);
    }

    static DuramenMessage decode(ByteBuffer record) {
        return MessageDecoder.decode(record, ORDERS, 1, AllowedClasses.NONE);
    }

    static <T extends DuramenMessage> T received(T message) throws JMSException {
        @SuppressWarnings("unchecked")
        T decoded = (T) decode(encode(message));
        return decoded;
    }

    static DuramenMessage received(DuramenMessage message, AllowedClasses allowed) throws JMSException {
        return MessageDecoder.decode(encode(message), ORDERS, 1, allowed);
    }
}
