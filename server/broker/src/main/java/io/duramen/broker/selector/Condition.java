package io.duramen.broker.selector;

/**
 * What is true, false or unknown of a message. The numbers are chosen so that AND is the least, OR the greatest and NOT
 * the mirror (tables 3-4 to 3-6).
 */
non-sealed interface Condition extends Expression {
    int FALSE = 0;
    int UNKNOWN = 1;
    int TRUE = 2;

    int test(RecordFields fields);

    static int of(boolean holds) {
        return holds ? TRUE : FALSE;
    }

    static int not(int truth) {
        return TRUE - truth;
    }

    /** All of them, from left to right. */
    static Condition and(Condition[] parts) {
        return fields -> {
            int truth = TRUE;
            for (int i = 0; i < parts.length && truth != FALSE; i++) {
                truth = Math.min(truth, parts[i].test(fields));
            }
            return truth;
        };
    }

    /** Any of them, from left to right. */
    static Condition or(Condition[] parts) {
        return fields -> {
            int truth = FALSE;
            for (int i = 0; i < parts.length && truth != TRUE; i++) {
                truth = Math.max(truth, parts[i].test(fields));
            }
            return truth;
        };
    }

    static Condition not(Condition part) {
        return fields -> not(part.test(fields));
    }
}
