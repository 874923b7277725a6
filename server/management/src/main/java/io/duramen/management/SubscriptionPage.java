package io.duramen.management;

import java.util.List;
import javax.management.ConstructorParameters;

/**
 * Some subscriptions. Immutable.
 *
 * @param rows the oldest first
 * @param next to ask for the page behind; -1 where there is none. A page may be short and have one behind it
 */
public record SubscriptionPage(List<SubscriptionRow> rows, int next) {
    @ConstructorParameters({"rows", "next"})
    public SubscriptionPage {
        rows = List.copyOf(rows);
    }

    public List<SubscriptionRow> getRows() {
        return rows;
    }

    public int getNext() {
        return next;
    }
}
