package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some consumers of a destination. Immutable.
 *
 * @param next to ask for the page behind; empty where there is none
 */
public record ConsumerPage(List<ConsumerRow> rows, String next) {
    @ConstructorParameters({"rows", "next"})
    public ConsumerPage {
        rows = List.copyOf(rows);
    }

    public List<ConsumerRow> getRows() {
        return rows;
    }

    public String getNext() {
        return next;
    }
}
