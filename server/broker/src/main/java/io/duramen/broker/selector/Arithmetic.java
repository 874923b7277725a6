package io.duramen.broker.selector;

/**
 * Operators of one precedence, from left to right, by Java's numeric promotion: exact numbers wrap around, approximate
 * ones become infinite. With a null the result is null; of what is no number it has no type; an exact division by zero has
 * no value, thus null. Confined to its selector's thread.
 */
final class Arithmetic implements Term {
    enum Operator {
        PLUS,
        MINUS,
        TIMES,
        DIVIDED
    }

    private final Term[] terms;
    private final Operator[] operators;
    private final Value next = new Value();

    /** @param operators each stands between two of the terms, so they are one fewer */
    Arithmetic(Term[] terms, Operator[] operators) {
        this.terms = terms;
        this.operators = operators;
    }

    @Override
    public Kind kind() {
        return Kind.NUMBER;
    }

    @Override
    public void load(RecordFields fields, Value into) {
        terms[0].load(fields, into);
        for (int i = 0; i < operators.length; i++) {
            terms[i + 1].load(fields, next);
            apply(operators[i], into, next);
        }
    }

    private static void apply(Operator operator, Value left, Value right) {
        if (left.isNull() || right.isNull()) {
            left.setNull();
        } else if (!left.isNumber() || !right.isNumber()) {
            left.setNone();
        } else {
            switch (Comparison.promoted(left, right)) {
                case INT -> ints(operator, left, right.intValue());
                case LONG -> longs(operator, left, right.longValue());
                case FLOAT -> left.setFloat(floats(operator, left.floatValue(), right.floatValue()));
                default -> left.setDouble(doubles(operator, left.doubleValue(), right.doubleValue()));
            }
        }
    }

    private static void ints(Operator operator, Value left, int right) {
        int value = left.intValue();
        if (operator == Operator.DIVIDED && right == 0) {
            left.setNull();
            return;
        }
        left.setInt(
                switch (operator) {
                    case PLUS -> value + right;
                    case MINUS -> value - right;
                    case TIMES -> value * right;
                    case DIVIDED -> value / right;
                });
    }

    private static void longs(Operator operator, Value left, long right) {
        long value = left.longValue();
        if (operator == Operator.DIVIDED && right == 0) {
            left.setNull();
            return;
        }
        left.setLong(
                switch (operator) {
                    case PLUS -> value + right;
                    case MINUS -> value - right;
                    case TIMES -> value * right;
                    case DIVIDED -> value / right;
                });
    }

    private static float floats(Operator operator, float left, float right) {
        return switch (operator) {
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDED -> left / right;
        };
    }

    private static double doubles(Operator operator, double left, double right) {
        return switch (operator) {
            case PLUS -> left + right;
            case MINUS -> left - right;
            case TIMES -> left * right;
            case DIVIDED -> left / right;
        };
    }

    /** A term with signs before it: it must be a number, even where they cancel out. */
    record Signed(Term term, boolean negative) implements Term {
        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }

        @Override
        public void load(RecordFields fields, Value into) {
            term.load(fields, into);
            if (into.isNull()) {
                return;
            }
            if (!into.isNumber()) {
                into.setNone();
            } else if (negative) {
                negate(into);
            }
        }

        private static void negate(Value value) {
            switch (value.kind()) {
                case INT -> value.setInt(-value.intValue());
                case LONG -> value.setLong(-value.longValue());
                case FLOAT -> value.setFloat(-value.floatValue());
                default -> value.setDouble(-value.doubleValue());
            }
        }
    }
}
