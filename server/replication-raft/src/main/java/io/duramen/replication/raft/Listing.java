package io.duramen.replication.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a replica lends to another. Immutable. Big-endian:
 *
 * <pre>
 *   0         8         16           24          32      36
 *   | version | loan id | firstIndex | lastIndex | count | then each: length 8 | name length 2 | name
 * </pre>
 *
 * @param loan names the loan in requests
 * @param firstIndex of the oldest entry in the log's files behind which none is missing
 * @param lastIndex of the last entry in the log's files, at least
 */
record Listing(long loan, long firstIndex, long lastIndex, List<Item> items) {
    private static final long VERSION = 1;
    private static final int HEAD_LENGTH = 36;
    private static final int ITEM_LENGTH_MIN = 10;
    private static final String NAME = "(log|image)/[A-Za-z0-9][A-Za-z0-9.-]{0,99}";

    /** @param name the directory, {@code log} or {@code image}, a slash, and the name in it */
    record Item(String name, long length) {}

    ByteBuffer encode() {
        int length = HEAD_LENGTH
                + items.stream()
                        .mapToInt(item -> ITEM_LENGTH_MIN + item.name.length())
                        .sum();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.putLong(VERSION)
                .putLong(loan)
                .putLong(firstIndex)
                .putLong(lastIndex)
                .putInt(items.size());
        for (Item item : items) {
            byte[] name = item.name.getBytes(StandardCharsets.US_ASCII);
            bytes.putLong(item.length).putShort((short) name.length).put(name);
        }
        return bytes.flip();
    }

    /** @throws IOException where that is not what {@link #encode} made, or names what no loan has */
    static Listing decode(ByteBuffer from) throws IOException {
        ByteBuffer bytes = from.duplicate();
        if (bytes.remaining() < HEAD_LENGTH || bytes.getLong() != VERSION) {
            throw new IOException("no listing of files that this version knows");
        }
        long loan = bytes.getLong();
        long firstIndex = bytes.getLong();
        long lastIndex = bytes.getLong();
        int count = bytes.getInt();
        if (count < 0 || count > bytes.remaining() / ITEM_LENGTH_MIN) {
            throw new IOException("a listing of " + count + " files in " + bytes.remaining() + " bytes");
        }
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item(bytes));
        }
        if (bytes.hasRemaining()) {
            throw new IOException(bytes.remaining() + " bytes behind a listing of files");
        }
        return new Listing(loan, firstIndex, lastIndex, List.copyOf(items));
    }

    private static Item item(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() < ITEM_LENGTH_MIN) {
            throw new IOException("a listing of files ends early");
        }
        long length = bytes.getLong();
        int nameLength = Short.toUnsignedInt(bytes.getShort());
        if (length < 0 || nameLength > bytes.remaining()) {
            throw new IOException("a file of " + length + " bytes and a name of " + nameLength);
        }
        byte[] name = new byte[nameLength];
        bytes.get(name);
        String text = new String(name, StandardCharsets.US_ASCII);
        if (!text.matches(NAME)) {
            throw new IOException("a file of a name that none has");
        }
        return new Item(text, length);
    }
}
