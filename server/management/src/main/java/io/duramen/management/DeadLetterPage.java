package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some dead letters. Immutable.
 *
 * @param next to ask for the page behind; empty where there is none. A page may be short and have one behind it
 */
public record DeadLetterPage(List<DeadLetterRow> rows, String next) {
    @ConstructorParameters({"rows", "next"})
    public DeadLetterPage {
        rows = List.copyOf(rows);
    }

    public List<DeadLetterRow> getRows() {
        return rows;
    }

    public String getNext() {
        return next;
    }
}
