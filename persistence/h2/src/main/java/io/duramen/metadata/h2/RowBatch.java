package io.duramen.metadata.h2;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.StatelessSession;

/**
 * Rows of one transaction, by what is done with them: deletes, then inserts, then updates. A row that was put twice, as a
 * partition that was made and then moved, is inserted before it is updated. Not thread-safe.
 */
final class RowBatch {
    private static final int ROWS_MAX = 1000;

    private final StatelessSession session;
    private final List<Object> deletes = new ArrayList<>();
    private final List<Object> inserts = new ArrayList<>();
    private final List<Object> updates = new ArrayList<>();

    RowBatch(StatelessSession session) {
        this.session = session;
    }

    void delete(Object row) {
        deletes.add(row);
    }

    void put(Object row, boolean isNew) {
        (isNew ? inserts : updates).add(row);
    }

    void flush() {
        inParts(deletes, session::deleteMultiple);
        inParts(inserts, session::insertMultiple);
        inParts(updates, session::updateMultiple);
    }

    private static void inParts(List<Object> rows, Consumer<List<?>> statement) {
        for (int from = 0; from < rows.size(); from += ROWS_MAX) {
            statement.accept(rows.subList(from, Math.min(rows.size(), from + ROWS_MAX)));
        }
    }
}
