package io.duramen.jms.message;

import jakarta.jms.MessageFormatException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Any thread: holds nothing. The string form of {@link java.io.DataOutput#writeUTF}: {@code u16} length, then bytes. */
final class ModifiedUtf8 {
    private static final int MAX_LENGTH = 0xFFFF;

    private ModifiedUtf8() {}

    /** @throws MessageFormatException where it is above what the length field can say */
    static int length(String text) throws MessageFormatException {
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c >= 1 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        if (length > MAX_LENGTH) {
            throw new MessageTooLongException(
                    "a text of " + length + " bytes is longer than the " + MAX_LENGTH + " that writeUTF can say");
        }
        return (int) length;
    }

    static void write(String text, int length, ByteBuffer out) {
        out.putShort((short) length);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 1 && c < 0x80) {
                out.put((byte) c);
            } else if (c < 0x800) {
                out.put((byte) (0xC0 | c >> 6)).put((byte) (0x80 | c & 0x3F));
            } else {
                out.put((byte) (0xE0 | c >> 12))
                        .put((byte) (0x80 | c >> 6 & 0x3F))
                        .put((byte) (0x80 | c & 0x3F));
            }
        }
    }

    /**
     * @throws BufferUnderflowException where fewer bytes are left than the length says
     * @throws MessageFormatException where they are no such text
     */
    static String read(ByteBuffer in) throws MessageFormatException {
        int length = in.getShort() & 0xFFFF;
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        int end = in.position() + length;
        StringBuilder text = new StringBuilder(length);
        while (in.position() < end) {
            int first = in.get() & 0xFF;
            if (first < 0x80) {
                text.append((char) first);
            } else if (first >> 5 == 0b110) {
                text.append((char) ((first & 0x1F) << 6 | following(in, end)));
            } else if (first >> 4 == 0b1110) {
                int second = following(in, end);
                text.append((char) ((first & 0xF) << 12 | second << 6 | following(in, end)));
            } else {
                throw malformed();
            }
        }
        return text.toString();
    }

    private static int following(ByteBuffer in, int end) throws MessageFormatException {
        if (in.position() == end) {
            throw malformed();
        }
        int b = in.get();
        if ((b & 0xC0) != 0x80) {
            throw malformed();
        }
        return b & 0x3F;
    }

    private static MessageFormatException malformed() {
        return new MessageFormatException("the bytes are no text that writeUTF has written");
    }
}
