package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some messages. Immutable.
 *
 * @param next to ask for the page behind; empty where there is none. A page may be short and have one behind it
 */
public record MessagePage(List<MessageRow> rows, String next) {
    @ConstructorParameters({"rows", "next"})
    public MessagePage {
        rows = List.copyOf(rows);
    }

    public List<MessageRow> getRows() {
        return rows;
    }

    public String getNext() {
        return next;
    }
}
