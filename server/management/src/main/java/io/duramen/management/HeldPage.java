package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some messages that consumers hold. Immutable.
 *
 * @param next to ask for the page behind; empty where there is none. A page may be short and have one behind it
 */
public record HeldPage(List<HeldRow> rows, String next) {
    @ConstructorParameters({"rows", "next"})
    public HeldPage {
        rows = List.copyOf(rows);
    }

    public List<HeldRow> getRows() {
        return rows;
    }

    public String getNext() {
        return next;
    }
}
