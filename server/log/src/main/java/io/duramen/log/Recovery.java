package io.duramen.log;

import io.duramen.runtime.disk.Disk;
import io.duramen.runtime.disk.DiskFile;
import io.duramen.runtime.disk.NoSpaceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what a directory holds, blocking. Confined to the agent; used once.
 *
 * <p>Salts are told by the segments found, and by the {@link SecretFile} where there is none yet.
 *
 * <p>Segments with an intact index file are sealed and trusted. The last segment with content has none, as a rule, and is
 * scanned and judged as {@link SegmentScan} says; others without one, which a crash may leave, are scanned and must be
 * whole. Files without content were prepared and never used; so were those that still begin with a {@link SpareHeader},
 * whatever else they hold. Nothing damaged is ever deleted or changed.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Disk disk;
    private final LogConfig config;
    private final long appliedIndex;
    private final TreeMap<Long, Segment> indexed = new TreeMap<>();
    private final TreeMap<Long, DiskFile> unused = new TreeMap<>();
    private final TreeMap<Long, DiskFile> unfilled = new TreeMap<>();
    private final List<Segment> segments = new ArrayList<>();
    private final List<String> leftOver = new ArrayList<>();

    /** The segment found last, where it holds something behind its last entry that may have been there before it. */
    private Segment unproven;

    /** As its file tells; empty where that is not there, or not intact. */
    private OptionalInt secret = OptionalInt.empty();

    /** Number of the segment behind which it was looked for entries in a file that claims to have none. */
    private long unfilledChecked;

    Recovery(Disk disk, LogConfig config, long appliedIndex) {
        this.disk = disk;
        this.config = config;
        this.appliedIndex = appliedIndex;
    }

    /**
     * What was found.
     *
     * @param segments with content, oldest first; the last may be unsealed
     * @param prepared an empty segment file, ready to be used; null for none
     * @param unfilled files with the number of a segment that hold none of its entries, though others; not to be used
     *     under this number, which the next power cut may have let in some of its entries
     * @param spares files to be filled anew
     * @param nextNumber no segment file has this or a higher number
     * @param leftOver files to be deleted: neither damaged nor of any use
     * @param secret as its file tells; empty where that is not there, or not intact
     */
    record Found(
            List<Segment> segments,
            SegmentStock.Prepared prepared,
            List<DiskFile> unfilled,
            List<DiskFile> spares,
            long nextNumber,
            List<String> leftOver,
            OptionalInt secret) {}

    /**
     * @throws DamagedLogException where the log is damaged other than at its tail
     * @throws IOException where it cannot be read, or entries behind the applied index are missing
     */
    Found run() throws IOException {
        List<String> names = disk.list();
        if (names.contains(SegmentName.SECRET)) {
            readSecret();
        }
        TreeSet<Long> numbers = SegmentName.logNumbers(names);
        TreeSet<Long> spareNumbers = SegmentName.spareNumbers(names);
        readIndexes(numbers, SegmentName.indexNumbers(names));
        TreeSet<Long> withContent = withContent(numbers);
        for (long number : withContent) {
            Segment segment = indexed.get(number);
            if (segment == null) {
                segment = scan(number, number == withContent.last());
            }
            if (segment != null) {
                requireNext(segment);
                segments.add(segment);
            }
        }
        if (!segments.isEmpty()) {
            requireUnfilled(segments.get(segments.size() - 1));
        }
        SegmentStock.Prepared prepared = choosePrepared();
        List<DiskFile> spares = new ArrayList<>();
        for (long number : spareNumbers) {
            spares.add(disk.open(SegmentName.spare(number)));
        }
        numbers.addAll(spareNumbers);
        long nextNumber = numbers.isEmpty() ? 1 : numbers.last() + 1;
        return new Found(segments, prepared, List.copyOf(unfilled.values()), spares, nextNumber, leftOver, secret);
    }

    private void readSecret() throws IOException {
        DiskFile file = disk.open(SegmentName.SECRET);
        ByteBuffer bytes = ByteBuffer.allocate(SecretFile.LENGTH);
        try {
            file.read(0, bytes);
        } finally {
            file.close();
        }
        if (SecretFile.isOfOtherVersion(bytes.flip())) {
            throw otherVersion(SegmentName.SECRET);
        }
        secret = SecretFile.read(bytes);
        if (secret.isEmpty()) {
            LOG.warn("{} is not intact; it is made anew", SegmentName.SECRET);
        }
    }

    private static IOException otherVersion(String name) {
        return new IOException(name + " has a format that this version does not know: start the version of"
                + " Duramen that wrote it, or a newer one");
    }

    private void readIndexes(TreeSet<Long> numbers, TreeSet<Long> indexNumbers) throws IOException {
        for (long number : indexNumbers) {
            if (!numbers.contains(number)) {
                leftOver.add(SegmentName.index(number));
                continue;
            }
            Optional<Segment> segment = readIndex(number);
            if (segment.isPresent()) {
                requireLength(segment.get());
                indexed.put(number, segment.get());
            } else {
                LOG.warn("{} is not intact; it is made anew", SegmentName.index(number));
            }
        }
    }

    private Optional<Segment> readIndex(long number) throws IOException {
        DiskFile file = disk.open(SegmentName.index(number));
        try {
            long length = file.length();
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, 32 * 1024));
            file.read(0, bytes);
            Optional<IndexFile.Head> head = IndexFile.head(bytes.flip(), length);
            if (head.isEmpty() || head.get().number() != number) {
                return Optional.empty();
            }
            if (head.get().directoryEnd() > bytes.limit()) {
                bytes = ByteBuffer.allocate(head.get().directoryEnd());
                file.read(0, bytes);
                bytes.flip();
            }
            return IndexFile.directory(head.get(), bytes).map(directory -> new Segment(head.get(), directory));
        } finally {
            file.close();
        }
    }

    private void requireLength(Segment segment) throws IOException {
        DiskFile file = disk.open(segment.name());
        try {
            if (file.length() < segment.end()) {
                throw SegmentScan.damaged(
                        segment.name(), file.length(), "the file ends here, its entries go on to " + segment.end());
            }
        } finally {
            file.close();
        }
    }

    /** Tells used files from those that were only prepared; these are at the end, but for what a failure left. */
    private TreeSet<Long> withContent(TreeSet<Long> numbers) throws IOException {
        TreeSet<Long> withContent = new TreeSet<>();
        for (long number : numbers.descendingSet()) {
            if (indexed.containsKey(number)) {
                withContent.add(number);
                continue;
            }
            DiskFile file = disk.open(SegmentName.log(number));
            if (isUnused(file)) {
                unused.put(number, file);
            } else if (SpareHeader.stands(head(file), number)) {
                unfilled.put(number, file);
            } else {
                withContent.add(number);
                file.close();
            }
        }
        return withContent;
    }

    private static boolean isUnused(DiskFile file) throws IOException {
        FileWindow window = new FileWindow(file, file.length());
        return window.isZeroFrom(0);
    }

    private Segment scan(long number, boolean last) throws IOException {
        String name = SegmentName.log(number);
        DiskFile file = disk.open(name);
        long length = file.length();
        Optional<SegmentHeader> header = header(file);
        if (header.isEmpty() || header.get().number() != number) {
            return cutWhole(file, length, last);
        }
        requireJoin(header.get(), name);
        Segment segment = new Segment(
                header.get(), file, new ActiveIndex(config.indexInterval().toIntExact()));
        FileWindow window = new FileWindow(file, Math.min(length, header.get().capacity()));
        new SegmentScan(window, segment).run();
        if (last) {
            requireUnfilled(segment);
        }
        if (!SegmentScan.isClean(window, segment.end())) {
            if (!last) {
                SegmentScan.requireEnd(window, segment);
                unproven = segment;
            } else {
                cut(segment, window);
            }
        }
        if (!last) {
            return sealed(segment);
        }
        new TailRewrite(disk, segment, window).run();
        return goOn(segment, header.get());
    }

    private static ByteBuffer head(DiskFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.length(), SegmentHeader.LENGTH));
        file.read(0, bytes);
        return bytes.flip();
    }

    private static Optional<SegmentHeader> header(DiskFile file) throws IOException {
        ByteBuffer bytes = head(file);
        if (SegmentHeader.isOfOtherVersion(bytes)) {
            throw otherVersion(file.name());
        }
        return SegmentHeader.read(bytes);
    }

    /** A header that is not intact: nothing in the file was ever known to be on disk, or it is damage. */
    private Segment cutWhole(DiskFile file, long length, boolean last) throws IOException {
        if (!last) {
            throw SegmentScan.damaged(file.name(), 0, "its header is not intact, and later segments have content");
        }
        if (segments.isEmpty() && appliedIndex > 0) {
            throw SegmentScan.damaged(file.name(), 0, "its header is not intact, and no earlier segment is there");
        }
        long number = SegmentName.number(file.name());
        FileWindow window = new FileWindow(file, length);
        // With nothing before it the log has just begun, so its indexes are low.
        long indexMax = segments.isEmpty() ? 1 + window.limit() / EntryHeader.LENGTH : Long.MAX_VALUE;
        SegmentScan.requireTorn(window, file.name(), 0, nextIndex(), indexMax, saltOf(number));
        LOG.info("{} was never synced and is emptied", file.name());
        file.truncate(0);
        unused.put(number, file);
        return null;
    }

    /** The file that was due next may have got entries, but then none that was ever known to be on disk. */
    private void requireUnfilled(Segment last) throws IOException {
        Map.Entry<Long, DiskFile> next = unfilled.higherEntry(last.number());
        if (next != null && unfilledChecked != last.number()) {
            unfilledChecked = last.number();
            DiskFile file = next.getValue();
            SegmentScan.requireTorn(
                    new FileWindow(file, file.length()),
                    file.name(),
                    0,
                    last.lastIndex() + 1,
                    Long.MAX_VALUE,
                    OptionalInt.of(saltOf(next.getKey(), last)));
        }
    }

    private void cut(Segment segment, FileWindow window) throws IOException {
        long index = segment.lastIndex() + 1;
        long indexMax = index + (window.limit() - segment.end()) / EntryHeader.LENGTH;
        SegmentScan.requireTorn(window, segment.name(), segment.end(), index, indexMax, OptionalInt.of(segment.salt()));
        LOG.info(
                "{} is cut at position {} behind entry {}: what follows was never synced, or was there before",
                segment.name(),
                segment.end(),
                segment.lastIndex());
        segment.file().truncate(segment.end());
    }

    /** The last segment goes on being filled, once what is in it is on disk for certain. */
    private Segment goOn(Segment segment, SegmentHeader header) throws IOException {
        DiskFile file = segment.file();
        try {
            file.truncate(header.capacity());
            return segment;
        } catch (NoSpaceException e) {
            file.truncate(file.length());
            LOG.warn("No space to extend {}; it counts as full", file.name());
            segment.seal();
            return segment;
        }
    }

    private static Segment sealed(Segment segment) {
        segment.seal();
        return segment;
    }

    /** As those of the segments found so far tell, or else the log's secret, where that is known. */
    private OptionalInt saltOf(long number) {
        if (segments.isEmpty()) {
            return secret.isEmpty() ? secret : OptionalInt.of(SegmentHeader.saltOf(secret.getAsInt(), number));
        }
        return OptionalInt.of(saltOf(number, segments.get(segments.size() - 1)));
    }

    private static int saltOf(long number, Segment known) {
        return SegmentHeader.saltOf(SegmentHeader.secretOf(known.salt(), known.number()), number);
    }

    private long nextIndex() {
        return segments.isEmpty() ? 1 : segments.get(segments.size() - 1).lastIndex() + 1;
    }

    private void requireJoin(SegmentHeader header, String name) {
        Segment before = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        if (before != null
                && before.number() == header.previous()
                && header.baseIndex() - 1
                        > (before == unproven ? before.lastIndex() : Math.max(before.lastIndex(), appliedIndex))) {
            throw lastIsMissing(before, header.baseIndex(), name);
        }
    }

    private static DamagedLogException lastIsMissing(Segment before, long baseIndex, String next) {
        return SegmentScan.damaged(
                before.name(),
                before.end(),
                "entry " + (before.lastIndex() + 1) + " is missing, " + next + " begins with " + baseIndex);
    }

    private void requireNext(Segment segment) throws IOException {
        long expected =
                segments.isEmpty() ? 1 : segments.get(segments.size() - 1).lastIndex() + 1;
        if (unproven != null && unproven != segment) {
            if (segment.number() == unproven.number() + 1 && segment.baseIndex() != expected) {
                throw lastIsMissing(unproven, segment.baseIndex(), segment.name());
            }
            unproven = null;
        }
        if (segment.baseIndex() < expected) {
            throw SegmentScan.damaged(
                    segment.name(), 0, "it begins with entry " + segment.baseIndex() + ", " + expected + " is due");
        }
        if (segment.baseIndex() > expected && segment.baseIndex() - 1 > appliedIndex) {
            throw new IOException("Entries " + Math.max(expected, appliedIndex + 1) + " to "
                    + (segment.baseIndex() - 1) + ", which are not yet in the state image (up to entry " + appliedIndex
                    + "), are missing before " + segment.name() + ": put the missing segment files back");
        }
    }

    /** Keeps one empty file of the right length; the others are of no use. */
    private SegmentStock.Prepared choosePrepared() throws IOException {
        SegmentStock.Prepared prepared = null;
        long lastUsed =
                segments.isEmpty() ? 0 : segments.get(segments.size() - 1).number();
        for (var entry : unused.entrySet()) {
            long length = entry.getValue().length();
            if (prepared == null
                    && entry.getKey() > lastUsed
                    && length == config.segmentSize().count()) {
                prepared = new SegmentStock.Prepared(entry.getKey(), entry.getValue(), length);
            } else {
                entry.getValue().close();
                leftOver.add(SegmentName.log(entry.getKey()));
            }
        }
        return prepared;
    }
}
