package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some destinations. Immutable.
 *
 * @param rows sorted by name
 * @param next to ask for the page behind; empty where there is none. A page may be short and have one behind it
 */
public record DestinationPage(List<DestinationRow> rows, String next) {
    @ConstructorParameters({"rows", "next"})
    public DestinationPage {
        rows = List.copyOf(rows);
    }

    public List<DestinationRow> getRows() {
        return rows;
    }

    public String getNext() {
        return next;
    }
}
