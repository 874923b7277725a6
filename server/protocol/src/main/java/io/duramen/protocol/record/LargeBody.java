package io.duramen.protocol.record;

import io.duramen.protocol.MalformedFrameException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the parts of a body stand that is stored apart from its message. Immutable. Parts have offsets of their own,
 * apart from those of messages, in the partition to which their message was first sent; those of several producers
 * interleave. In the header {@link HeaderTag#LARGE_BODY}, big-endian:
 *
 * <pre>
 *   0           4          12        20       28      32
 *   | partition | nameHigh | nameLow | length | parts | runs …
 *   a run: offsets skipped since the last one's end, then how many parts follow one another there; both in 7 bits a byte,
 *   lowest first, the highest bit set in all bytes but the last
 * </pre>
 */
public final class LargeBody {
    private static final int FIXED_LENGTH = 32;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 0x80;

    private final int partition;
    private final BodyName name;
    private final long length;
    private final PartRuns runs;

    /** @param runs not to be changed any more */
    public LargeBody(int partition, BodyName name, long length, PartRuns runs) {
        this.partition = partition;
        this.name = name;
        this.length = length;
        this.runs = runs;
    }

    /** The partition whose parts they are. */
    public int partition() {
        return partition;
    }

    public BodyName name() {
        return name;
    }

    /** Bytes of the whole body. */
    public long length() {
        return length;
    }

    public PartRuns runs() {
        return runs;
    }

    /** In the form of the header. */
    public byte[] encode() {
        byte[] out = new byte[FIXED_LENGTH + runs.runs() * 2 * 10];
        ByteBuffer to = ByteBuffer.wrap(out);
        to.putInt(partition)
                .putLong(name.high())
                .putLong(name.low())
                .putLong(length)
                .putInt(runs.parts());
        long end = 0;
        for (int i = 0; i < runs.runs(); i++) {
            put(runs.first(i) - end, to);
            put(runs.count(i), to);
            end = runs.first(i) + runs.count(i);
        }
        return Arrays.copyOf(out, to.position());
    }

    private static void put(long value, ByteBuffer out) {
        long left = value;
        while (left >= MORE) {
            out.put((byte) (left | MORE));
            left >>>= GROUP_BITS;
        }
        out.put((byte) left);
    }

    private static long get(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += GROUP_BITS) {
            int next = in.get();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedFrameException("a number of more than 63 bits");
    }

    /**
     * @param in exactly the header's bytes
     * @throws MalformedFrameException where they do not say where a body stands
     */
    public static LargeBody decode(ByteBuffer in) {
        try {
            int partition = in.getInt();
            BodyName name = new BodyName(in.getLong(), in.getLong());
            long length = in.getLong();
            int parts = in.getInt();
            PartRuns runs = new PartRuns();
            long end = 0;
            while (in.hasRemaining()) {
                long first = Math.addExact(end, get(in));
                long count = get(in);
                if (count < 1 || count > parts - runs.parts()) {
                    throw new MalformedFrameException("a run of " + count + " parts of " + parts);
                }
                end = Math.addExact(first, count);
                runs.addRun(first, (int) count);
            }
            if (partition < 1 || length < 1 || parts < 1 || runs.parts() != parts) {
                throw new MalformedFrameException("a body of " + length + " bytes in " + parts + " parts of partition "
                        + partition + ", of which " + runs.parts() + " have offsets");
            }
            return new LargeBody(partition, name, length, runs);
        } catch (BufferUnderflowException | ArithmeticException e) {
            throw new MalformedFrameException("where a large body stands cannot be read");
        }
    }

    /**
     * Where the body of the record stands that begins there.
     *
     * @param in holds a record that {@link MessageRecord#check} has passed
     * @return empty where it is in the record
     * @throws MalformedFrameException where it stands apart and the headers do not say where
     */
    public static Optional<LargeBody> of(ByteBuffer in, int at) {
        if (!MessageRecord.isLarge(in, at)) {
            return Optional.empty();
        }
        int from = at + MessageRecord.HEADER_LENGTH;
        int end = from + in.getInt(at + MessageRecord.HEADERS_LENGTH_AT);
        while (end - from >= 5) {
            int tag = in.get(from) & 0xFF;
            int length = in.getInt(from + 1);
            from += 5;
            if (length < 0 || length > end - from) {
                break;
            }
            if (tag == HeaderTag.LARGE_BODY) {
                return Optional.of(decode(in.slice(from, length)));
            }
            from += length;
        }
        throw new MalformedFrameException("a large message does not say where its body stands");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LargeBody that
                && partition == that.partition
                && length == that.length
                && name.equals(that.name)
                && runs.equals(that.runs);
    }

    @Override
    public int hashCode() {
        return Objects.hash(partition, length, name);
    }

    @Override
    public String toString() {
        return length + " bytes in " + runs.parts() + " parts of partition " + partition;
    }
}
