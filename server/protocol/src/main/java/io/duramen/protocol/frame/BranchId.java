package io.duramen.protocol.frame;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Name of a branch of a distributed transaction, as its transaction manager gave it (an Xid of the X/Open XA
 * specification). Equal where all three parts are.
 *
 * @param formatId says how the manager made the others; any but -1, which stands for no transaction
 * @param globalId of the transaction: 1 to {@value #PART_LENGTH_MAX} bytes
 * @param qualifier of the branch in it: up to {@value #PART_LENGTH_MAX} bytes
 */
public record BranchId(int formatId, ByteBuffer globalId, ByteBuffer qualifier) {
    /** Most bytes of each part. */
    public static final int PART_LENGTH_MAX = 64;

    /** @throws IllegalArgumentException where a part is too long, or there is no name at all */
    public BranchId {
        if (formatId == -1
                || !globalId.hasRemaining()
                || globalId.remaining() > PART_LENGTH_MAX
                || qualifier.remaining() > PART_LENGTH_MAX) {
            throw new IllegalArgumentException("a branch id of format " + formatId + " with "
                    + globalId.remaining() + " and " + qualifier.remaining() + " bytes: 1 to " + PART_LENGTH_MAX
                    + " and up to " + PART_LENGTH_MAX + " are allowed, and any format but -1");
        }
        globalId = copy(globalId);
        qualifier = copy(qualifier);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining())
                .put(bytes.duplicate())
                .flip()
                .asReadOnlyBuffer();
    }

    /** A view whose position the caller may move. */
    @Override
    public ByteBuffer globalId() {
        return globalId.duplicate();
    }

    /** A view whose position the caller may move. */
    @Override
    public ByteBuffer qualifier() {
        return qualifier.duplicate();
    }

    /** Format, global id and qualifier, the latter two in hexadecimal, parted by colons. */
    @Override
    public String toString() {
        return formatId + ":" + hex(globalId()) + ":" + hex(qualifier());
    }

    /** @throws IllegalArgumentException where it is not what {@link #toString} gives */
    public static BranchId parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is no branch id");
        }
        HexFormat hex = HexFormat.of();
        return new BranchId(
                Integer.parseInt(parts[0]),
                ByteBuffer.wrap(hex.parseHex(parts[1])),
                ByteBuffer.wrap(hex.parseHex(parts[2])));
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
