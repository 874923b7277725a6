package io.duramen.protocol;

import java.util.HashMap;
import java.util.Map;

/**
 * Every error that the server can answer with. The number is what travels; it is never reused. The client turns a code
 * into a {@code JMSException} in one place.
 */
public enum ErrorCode {
    INTERNAL(1, Advice.FAIL, "The server met a condition it does not know; its log has the details."),
    MALFORMED_FRAME(2, Advice.CLOSE, "A frame could not be decoded; the connection is closed."),
    UNSUPPORTED_VERSION(3, Advice.CLOSE, "No protocol version is spoken by both sides."),
    NOT_AUTHENTICATED(4, Advice.CLOSE, "Only Hello and Authenticate are accepted before login."),
    AUTHENTICATION_FAILED(5, Advice.CLOSE, "The user is unknown or the password wrong."),
    NOT_AUTHORIZED(6, Advice.FAIL, "The user lacks the right that the detail names."),
    FRAME_TOO_LARGE(7, Advice.CLOSE, "The frame is longer than the limit agreed on in Hello."),
    UNSUPPORTED(8, Advice.FAIL, "This server does not offer what was asked for; the detail names it."),
    INVALID_REQUEST(9, Advice.FAIL, "The request contradicts itself or names something that is not there."),

    NOT_LEADER(20, Advice.RETRY, "This node does not lead the shard."),
    SHARD_STOPPED(21, Advice.FAIL, "The shard stopped after a failed write and takes no more changes."),
    RESOURCE_EXHAUSTED(
            22, Advice.BACK_OFF, "A limit is reached (disk, quota); the detail names it. Consuming goes on."),
    SHUTTING_DOWN(23, Advice.RETRY, "The node is stopping."),
    TOO_FEW_IN_SYNC(
            24,
            Advice.BACK_OFF,
            "Fewer nodes are in sync than have to store what is safe; the detail says how many. Nothing was stored;"
                    + " consuming goes on."),
    KEPT_BY_TOO_FEW(
            26,
            Advice.FAIL,
            "The message is stored and will be delivered, but on fewer nodes than have to have it: one of them was lost"
                    + " meanwhile."),
    NO_MAJORITY(25, Advice.RETRY, "No node leads the cluster, and too few of its nodes answer for one to be chosen."),

    DESTINATION_NOT_FOUND(40, Advice.FAIL, "No destination of this name and kind, and it may not be created."),
    DESTINATION_KIND_MISMATCH(41, Advice.FAIL, "The name belongs to a destination of the other kind."),
    DESTINATION_IN_USE(42, Advice.FAIL, "The destination still has consumers."),
    INVALID_DESTINATION_NAME(43, Advice.FAIL, "The name is empty, too long or has characters that are not allowed."),
    TEMPORARY_DESTINATION_FOREIGN(
            44, Advice.FAIL, "Only the connection that made it may consume from a temporary destination."),
    DESTINATION_FULL(
            45,
            Advice.BACK_OFF,
            "The destination has as many messages, or bytes of them, as it may; the detail names the limit."),
    DESTINATION_FULL_WAIT(
            46,
            Advice.BACK_OFF,
            "As DESTINATION_FULL, and who sends there waits: the request is to be sent again when SendAgain names it."),

    CLIENT_ID_IN_USE(60, Advice.FAIL, "Another connection uses this client id."),
    SUBSCRIPTION_NOT_FOUND(61, Advice.FAIL, "No subscription of this name."),
    SUBSCRIPTION_IN_USE(62, Advice.FAIL, "The subscription has an active consumer that excludes the request."),
    INVALID_SELECTOR(63, Advice.FAIL, "The selector does not parse; the detail holds the position."),
    CONSUMER_NOT_FOUND(64, Advice.FAIL, "No consumer with this id is attached."),
    CONSUMER_ENDED(65, Advice.FAIL, "An operator has closed the consumer."),

    MESSAGE_TOO_LARGE(80, Advice.FAIL, "The message or transaction is larger than the limit in the detail."),
    CORRUPT_BATCH(81, Advice.FAIL, "The record batch does not match its checksum or its own lengths."),
    PRODUCER_FENCED(
            82,
            Advice.FAIL,
            "A newer incarnation of this producer has taken over, or it was not used for so long that it is forgotten."),
    OUT_OF_ORDER_SEQUENCE(83, Advice.FAIL, "The batch overlaps sequences that were stored in other batches."),
    LEASE_LOST(
            84,
            Advice.FAIL,
            "A delivery settled by the transaction is no longer held by this consumer; nothing was committed."),
    TRANSACTION_GIVEN_UP(
            85,
            Advice.FAIL,
            "Somebody asked for the transaction's outcome before it arrived and was told that it is off."),
    BODY_NOT_THERE(
            86,
            Advice.FAIL,
            "The parts that a large message names, or some of them, are not stored, or belong to another message."),
    BRANCH_NOT_FOUND(
            90,
            Advice.FAIL,
            "No branch of this id is prepared: it never was, or it has been committed or rolled back."),
    NO_FREE_SHARD(
            91,
            Advice.FAIL,
            "The destination is to have a shard of its own, and every shard carries something already."),
    SHARD_NOT_THERE(92, Advice.FAIL, "The node has no shard of this number."),
    HALF_NOT_FOUND(96, Advice.FAIL, "No half message of this id is known: it never was stored, or ended too long ago."),
    HALF_ENDED(97, Advice.FAIL, "The half message has ended in another way; the detail says how."),
    DEDUP_ID_UNDECIDED(
            94,
            Advice.BACK_OFF,
            "A prepared branch has a message with the same dedup id; until it is committed or rolled back nobody knows"
                    + " whether this one is a repeat.");

    /** What the one who asked can do about it. */
    public enum Advice {
        /** The request cannot succeed as it is. */
        FAIL,
        /** The same request may succeed elsewhere or a moment later. */
        RETRY,
        /** The same request may succeed once the condition in the detail has passed. */
        BACK_OFF,
        /** The connection is closed by whoever says so. */
        CLOSE
    }

    private static final Map<Integer, ErrorCode> BY_NUMBER = new HashMap<>();

    static {
        for (ErrorCode code : values()) {
            BY_NUMBER.put(code.number, code);
        }
    }

    private final int number;
    private final Advice advice;
    private final String meaning;

    ErrorCode(int number, Advice advice, String meaning) {
        this.number = number;
        this.advice = advice;
        this.meaning = meaning;
    }

    /** The number on the wire, 1 to 65,535. */
    public int number() {
        return number;
    }

    public Advice advice() {
        return advice;
    }

    /** One sentence in English for logs and exception messages. */
    public String meaning() {
        return meaning;
    }

    /** The code of a number; {@link #INTERNAL} for one that a newer server may send and this side does not know. */
    public static ErrorCode of(int number) {
        return BY_NUMBER.getOrDefault(number, INTERNAL);
    }
}
