package io.duramen.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The conversion table of the specification, cell by cell: a row is what was written, a column what is read. */
final class ConversionTable {
    /** Columns, in the order of each row's cells. */
    private static final List<Class<?>> TARGETS = List.of(
            boolean.class,
            byte.class,
            short.class,
            char.class,
            int.class,
            long.class,
            float.class,
            double.class,
            String.class,
            byte[].class);

    private static final Object NO = MessageFormatException.class;
    private static final Object NUMBER = NumberFormatException.class;
    private static final Object POINTER = NullPointerException.class;
    private static final byte[] BYTES = {1, -2};

    private record Row(Object written, Object... cells) {}

    private static final List<Row> ROWS = List.of(
            //                boolean  byte    short       char     int  long  float  double  String  byte[]
            new Row(true, true, NO, NO, NO, NO, NO, NO, NO, "true", NO),
            new Row((byte) 5, NO, (byte) 5, (short) 5, NO, 5, 5L, NO, NO, "5", NO),
            new Row((short) 300, NO, NO, (short) 300, NO, 300, 300L, NO, NO, "300", NO),
            new Row('c', NO, NO, NO, 'c', NO, NO, NO, NO, "c", NO),
            new Row(70_000, NO, NO, NO, NO, 70_000, 70_000L, NO, NO, "70000", NO),
            new Row(1L << 40, NO, NO, NO, NO, NO, 1L << 40, NO, NO, "1099511627776", NO),
            new Row(1.5f, NO, NO, NO, NO, NO, NO, 1.5f, 1.5, "1.5", NO),
            new Row(2.25, NO, NO, NO, NO, NO, NO, NO, 2.25, "2.25", NO),
            new Row("7", false, (byte) 7, (short) 7, NO, 7, 7L, 7f, 7.0, "7", NO),
            new Row("TRUE", true, NUMBER, NUMBER, NO, NUMBER, NUMBER, NUMBER, NUMBER, "TRUE", NO),
            new Row("300", false, NUMBER, (short) 300, NO, 300, 300L, 300f, 300.0, "300", NO),
            new Row(BYTES, NO, NO, NO, NO, NO, NO, NO, NO, NO, BYTES),
            new Row(null, false, NUMBER, NUMBER, POINTER, NUMBER, NUMBER, POINTER, POINTER, null, null));

    private ConversionTable() {}

    /** Cells of rows and columns that a property can have: neither char nor byte[]. */
    static Stream<Arguments> ofProperties() {
        return ofEntries().filter(cell -> {
            Object[] parts = cell.get();
            return !(parts[0] instanceof Character || parts[0] instanceof byte[])
                    && parts[1] != char.class
                    && parts[1] != byte[].class;
        });
    }

    /** All cells, each as (written value, type read, value or class of the exception). */
    static Stream<Arguments> ofEntries() {
        List<Arguments> cells = new ArrayList<>();
        for (Row row : ROWS) {
            for (int i = 0; i < TARGETS.size(); i++) {
                cells.add(Arguments.of(row.written, TARGETS.get(i), row.cells[i]));
            }
        }
        return cells.stream();
    }

    interface Read {
        Object as(Class<?> type) throws Exception;
    }

    static void check(Read read, Class<?> type, Object expected) throws Exception {
        if (expected instanceof Class<?> exception) {
            assertThatThrownBy(() -> read.as(type)).isExactlyInstanceOf(exception);
        } else {
            assertThat(read.as(type)).isEqualTo(expected);
        }
    }
}
