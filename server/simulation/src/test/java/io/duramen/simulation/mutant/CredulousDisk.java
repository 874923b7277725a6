package io.duramen.simulation.mutant;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Makes the checksum of every entry right that it reads while the log is opened, whatever the entry holds: what stands above
 * it might as well not check. See {@code EntryHeader} in the log for the layout.
 */
final class CredulousDisk extends MutantDisk {
    private static final int SEGMENT_HEADER_LENGTH = 68;
    private static final int ENTRY_HEADER_LENGTH = 48;
    private static final int SALT_AT = 64;
    private static final int CRC_AT = 4;
    private static final int INDEX_AT = 8;

    CredulousDisk(Disk disk) {
        super(disk);
    }

    @Override
    DiskFile mutant(DiskFile file) {
        return !file.name().endsWith(".log")
                ? file
                : new MutantFile(file) {
                    @Override
                    public int read(long position, ByteBuffer into) throws IOException {
                        ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(file.length()));
                        file.read(0, whole);
                        makeRight(whole.flip());
                        int count = (int) Math.max(0, Math.min(into.remaining(), whole.limit() - position));
                        if (count > 0) {
                            into.put(whole.slice((int) position, count));
                        }
                        return count;
                    }
                };
    }

    private static void makeRight(ByteBuffer segment) {
        int at = SEGMENT_HEADER_LENGTH;
        while (at + ENTRY_HEADER_LENGTH <= segment.limit()) {
            int length = segment.getInt(at) + 4;
            if (length < ENTRY_HEADER_LENGTH || length > segment.limit() - at) {
                return;
            }
            CRC32C crc = new CRC32C();
            crc.update(segment.slice(at + INDEX_AT, length - INDEX_AT));
            segment.putInt(at + CRC_AT, (int) crc.getValue() ^ segment.getInt(SALT_AT));
            at += length;
        }
    }
}
