package io.duramen.protocol.record;

/** Tags in a record's headers region. Numbers are never reused; a reader skips those it does not know. */
public final class HeaderTag {
    /** UTF-8 text. */
    public static final int CORRELATION_ID = 1;
    /** Raw bytes ({@code setJMSCorrelationIDAsBytes}). */
    public static final int CORRELATION_ID_BYTES = 2;
    /** UTF-8 text. */
    public static final int TYPE = 3;
    /** {@code u8} DestinationKind ordinal, then the name in UTF-8. */
    public static final int REPLY_TO = 4;
    /** UTF-8 text: JMSXGroupID. */
    public static final int GROUP_ID = 5;
    /** {@code i32}: JMSXGroupSeq. */
    public static final int GROUP_SEQUENCE = 6;
    /**
     * UTF-8 text, in messages for topics: client id of the publishing connection, for noLocal. One without a client id
     * makes up a name for itself, which begins with U+0001 so that it is no client id.
     */
    public static final int CLIENT_ID = 7;
    /** UTF-8 text: JMSXUserID; see {@link MessageRecord#FLAG_USER_ID}. */
    public static final int USER_ID = 8;
    /** UTF-8 text: a message id that was not made by this client (a forwarded foreign message). */
    public static final int FOREIGN_MESSAGE_ID = 9;

    /** Where a body that is stored apart stands; see {@link LargeBody}. */
    public static final int LARGE_BODY = 10;

    /** 16 bytes, first in its region: a {@link DedupKey}; see {@link MessageRecord#FLAG_DEDUP}. */
    public static final int DEDUP_KEY = 11;

    private HeaderTag() {}
}
