package io.duramen.metadata.snapshot;

import io.duramen.metadata.ShardImage;
import io.duramen.metadata.ShardImage.BranchRow;
import io.duramen.metadata.ShardImage.CountRow;
import io.duramen.metadata.ShardImage.CursorRow;
import io.duramen.metadata.ShardImage.DedupRow;
import io.duramen.metadata.ShardImage.DestinationRow;
import io.duramen.metadata.ShardImage.FactRow;
import io.duramen.metadata.ShardImage.GapRow;
import io.duramen.metadata.ShardImage.OpenBodyRow;
import io.duramen.metadata.ShardImage.PartitionRow;
import io.duramen.metadata.ShardImage.PinRow;
import io.duramen.metadata.ShardImage.ProducerRow;
import io.duramen.metadata.ShardImage.RunRow;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * An image as bytes. Stateless. Big-endian:
 *
 * <pre>
 *   0       4        8         12       16
 *   | magic | crc32c | version | length | body …
 *   length counts the body; crc32c covers version to the end.
 *
 *   body:         i32 shard, i64 appliedIndex, i64 appliedEpoch, i64 nextLogOffset, i64 logTimeMillis,
 *                 i32 nextPartition, i32 nextSubscription,
 *                 rows of destinations, of subscriptions, of cursors, of producers, of open bodies, of pins,
 *                 of branches, of facts
 *                 of branches, of dedup windows
 *   rows:         i32 count, then that many
 *   destination:  text name, i32 kind, i64 incarnation, rows of partitions
 *   partition:    i32 partition, i32 home, i64 nextOffset, i64 priorityEnd, i64 deliveryTimeEnd, i64 expirationEnd, i64 groupEnd,
 *                 i64 nextPart
 *   subscription: i32 subscription, text destination, text clientId, text name, i32 kind, text selector, u8 noLocal
 *   cursor:       i32 subscription, i32 partition, i64 settledBelow, i32 length and bytes of settledBeyond,
 *                 rows of (i64 offset, i32 deliveries)
 *   producer:     i64 producerId, i32 partition, i32 epoch, i64 lastBaseSequence, i64 lastSequence,
 *                 i64 lastBaseOffset, i64 lastMillis, rows of (i64 first, i64 last) gaps
 *   open body:    i64 nameHigh, i64 nameLow, i32 partition, i64 length, rows of (i64 first, i32 count) runs
 *   pin:          i32 home, i64 firstPart, i32 partition, i64 firstOffset, i64 lastOffset
 *   branch:       text branch, i64 preparedMillis, i32 length and bytes of content
 *   fact:         i32 kind, text key, i32 length and bytes of content
 *   dedup window: i32 partition, i64 first, i64 end, i64 leftOut, i32 length and bytes of tail
 *   text:         i32 length, UTF-8
 * </pre>
 */
final class ImageLayout {
    /** Bytes before the body. */
    static final int HEADER_LENGTH = 16;

    static final int VERSION = 1;

    private static final int MAGIC = 0x44524D49; // "DRMI"
    private static final int CRC_AT = 4;
    private static final int VERSION_AT = 8;
    private static final int LENGTH_AT = 12;

    private ImageLayout() {}

    /** @throws ArithmeticException where the image does not fit in a buffer */
    static ByteBuffer encode(ShardImage image) {
        ImageWriter out = new ImageWriter(likelyLength(image));
        out.i32(MAGIC).i32(0).i32(VERSION).i32(0);
        out.i32(image.shard()).i64(image.appliedIndex()).i64(image.appliedEpoch());
        out.i64(image.nextLogOffset()).i64(image.logTimeMillis());
        out.i32(image.nextPartition()).i32(image.nextSubscription());
        out.rows(image.destinations(), ImageLayout::write);
        out.rows(image.subscriptions(), ImageLayout::write);
        out.rows(image.cursors(), ImageLayout::write);
        out.rows(image.producers(), ImageLayout::write);
        out.rows(image.openBodies(), ImageLayout::write);
        out.rows(image.pins(), ImageLayout::write);
        out.rows(image.branches(), ImageLayout::write);
        out.rows(image.facts(), ImageLayout::write);
        out.rows(image.dedup(), ImageLayout::write);
        ByteBuffer bytes = out.toBuffer();
        bytes.putInt(LENGTH_AT, bytes.remaining() - HEADER_LENGTH);
        bytes.putInt(CRC_AT, crc(bytes));
        return bytes;
    }

    /**
     * Checks what can be checked by the header alone.
     *
     * @param header the file's first bytes, as many as it has up to {@link #HEADER_LENGTH}
     * @param fileLength bytes of the whole file
     * @return bytes of the whole file
     * @throws DamagedImageException where it cannot be an image
     */
    static int checkedLength(ByteBuffer header, long fileLength) {
        if (header.remaining() < HEADER_LENGTH) {
            throw new DamagedImageException("its " + fileLength + " bytes are shorter than a header");
        }
        if (header.getInt(0) != MAGIC) {
            throw new DamagedImageException("it begins with 0x" + Integer.toHexString(header.getInt(0)));
        }
        int length = header.getInt(LENGTH_AT);
        if (length < 0 || length + (long) HEADER_LENGTH != fileLength || fileLength > Integer.MAX_VALUE) {
            throw new DamagedImageException(
                    "a body of " + length + " bytes does not make a file of " + fileLength + " bytes");
        }
        return (int) fileLength;
    }

    /**
     * Reads a whole file, position 0 to limit.
     *
     * @throws DamagedImageException where it is not what {@link #encode} wrote
     * @throws IOException where it is whole but of a version that this code does not know
     */
    static ShardImage decode(ByteBuffer bytes) throws IOException {
        checkedLength(bytes, bytes.remaining());
        if (bytes.getInt(CRC_AT) != crc(bytes)) {
            throw new DamagedImageException("it does not match its checksum");
        }
        if (bytes.getInt(VERSION_AT) != VERSION) {
            throw new IOException("the image has layout version " + bytes.getInt(VERSION_AT)
                    + ", of which this software knows only " + VERSION + ": start the one that wrote it");
        }
        ImageReader in = new ImageReader(bytes.position(HEADER_LENGTH));
        ShardImage image = new ShardImage(
                in.i32(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i32(),
                in.i32(),
                in.rows(ImageLayout::destination, 20),
                in.rows(ImageLayout::subscription, 25),
                in.rows(ImageLayout::cursor, 24),
                in.rows(ImageLayout::producer, 52),
                in.rows(ImageLayout::openBody, 32),
                in.rows(ImageLayout::pin, 32),
                in.rows(ImageLayout::branch, 16),
                in.rows(ImageLayout::fact, 12),
                in.rows(ImageLayout::dedup, 32));
        in.end();
        return image;
    }

    private static void write(BranchRow row, ImageWriter out) {
        out.text(row.branch()).i64(row.preparedMillis()).bytes(row.content());
    }

    private static BranchRow branch(ImageReader in) {
        return new BranchRow(in.text(), in.i64(), in.bytes());
    }

    private static void write(FactRow row, ImageWriter out) {
        out.i32(row.kind()).text(row.key()).bytes(row.content());
    }

    private static FactRow fact(ImageReader in) {
        return new FactRow(in.i32(), in.text(), in.bytes());
    }

    private static void write(DedupRow row, ImageWriter out) {
        out.i32(row.partition())
                .i64(row.first())
                .i64(row.end())
                .i64(row.leftOut())
                .bytes(row.tail());
    }

    private static DedupRow dedup(ImageReader in) {
        return new DedupRow(in.i32(), in.i64(), in.i64(), in.i64(), in.bytes());
    }

    private static void write(DestinationRow row, ImageWriter out) {
        out.text(row.name()).i32(row.kind()).i64(row.incarnation());
        out.rows(row.partitions(), ImageLayout::write);
    }

    private static void write(PartitionRow row, ImageWriter out) {
        out.i32(row.partition()).i32(row.home()).i64(row.nextOffset());
        out.i64(row.priorityEnd()).i64(row.deliveryTimeEnd());
        out.i64(row.expirationEnd()).i64(row.groupEnd()).i64(row.nextPart());
    }

    private static DestinationRow destination(ImageReader in) {
        return new DestinationRow(in.text(), in.i32(), in.i64(), in.rows(ImageLayout::partition, 56));
    }

    private static PartitionRow partition(ImageReader in) {
        return new PartitionRow(in.i32(), in.i32(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
    }

    private static void write(SubscriptionRow row, ImageWriter out) {
        out.i32(row.subscription()).text(row.destination()).text(row.clientId()).text(row.name());
        out.i32(row.kind()).text(row.selector()).flag(row.noLocal());
    }

    private static SubscriptionRow subscription(ImageReader in) {
        return new SubscriptionRow(in.i32(), in.text(), in.text(), in.text(), in.i32(), in.text(), in.flag());
    }

    private static void write(CursorRow row, ImageWriter out) {
        out.i32(row.subscription()).i32(row.partition()).i64(row.settledBelow()).bytes(row.settledBeyond());
        out.rows(row.deliveryCounts(), ImageLayout::write);
    }

    private static CursorRow cursor(ImageReader in) {
        return new CursorRow(in.i32(), in.i32(), in.i64(), in.bytes(), in.rows(ImageLayout::count, 21));
    }

    private static void write(CountRow row, ImageWriter out) {
        out.i64(row.offset()).i32(row.deliveries()).i64(row.lastMillis()).flag(row.refused());
    }

    private static CountRow count(ImageReader in) {
        return new CountRow(in.i64(), in.i32(), in.i64(), in.flag());
    }

    private static void write(ProducerRow row, ImageWriter out) {
        out.i64(row.producerId()).i32(row.partition()).i32(row.epoch());
        out.i64(row.lastBaseSequence())
                .i64(row.lastSequence())
                .i64(row.lastBaseOffset())
                .i64(row.lastMillis());
        out.rows(row.gaps(), (gap, to) -> to.i64(gap.first()).i64(gap.last()));
    }

    private static ProducerRow producer(ImageReader in) {
        return new ProducerRow(
                in.i64(),
                in.i32(),
                in.i32(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.i64(),
                in.rows(from -> new GapRow(from.i64(), from.i64()), 16));
    }

    private static void write(OpenBodyRow row, ImageWriter out) {
        out.i64(row.nameHigh()).i64(row.nameLow()).i32(row.partition()).i64(row.length());
        out.rows(row.runs(), (run, to) -> to.i64(run.first()).i32(run.count()));
    }

    private static OpenBodyRow openBody(ImageReader in) {
        return new OpenBodyRow(
                in.i64(), in.i64(), in.i32(), in.i64(), in.rows(from -> new RunRow(from.i64(), from.i32()), 12));
    }

    private static void write(PinRow row, ImageWriter out) {
        out.i32(row.home()).i64(row.firstPart()).i32(row.partition());
        out.i64(row.firstOffset()).i64(row.lastOffset());
    }

    private static PinRow pin(ImageReader in) {
        return new PinRow(in.i32(), in.i64(), in.i32(), in.i64(), in.i64());
    }

    private static int likelyLength(ShardImage image) {
        long rows = 64L * image.destinations().size()
                + 96L * image.subscriptions().size()
                + 32L * image.cursors().size()
                + 52L * image.producers().size();
        for (DedupRow row : image.dedup()) {
            rows += 32L + row.tail().remaining();
        }
        return (int) Math.min(1024 + rows, 1 << 30);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(VERSION_AT));
        return (int) crc.getValue();
    }
}
