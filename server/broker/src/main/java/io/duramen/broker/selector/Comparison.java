package io.duramen.broker.selector;

/** Comparisons of two values, and of a value with a range. Confined to its selector's thread. */
final class Comparison implements Condition {
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        boolean isOrder() {
            return this != EQUAL && this != NOT_EQUAL;
        }

        /** Neither less nor equal is greater, or not a number, which differs from all. */
        private boolean holds(boolean less, boolean equal, boolean greater) {
            return switch (this) {
                case EQUAL -> equal;
                case NOT_EQUAL -> !equal;
                case LESS -> less;
                case LESS_OR_EQUAL -> less || equal;
                case GREATER -> greater;
                case GREATER_OR_EQUAL -> greater || equal;
            };
        }
    }

    private final Operator operator;
    private final Term left;
    private final Term right;
    private final Value leftValue = new Value();
    private final Value rightValue = new Value();

    Comparison(Operator operator, Term left, Term right) {
        this.operator = operator;
        this.left = left;
        this.right = right;
    }

    @Override
    public int test(RecordFields fields) {
        left.load(fields, leftValue);
        right.load(fields, rightValue);
        return test(operator, leftValue, rightValue);
    }

    /** Section 3.8.1.1: with a null it is unknown; between values of unlike types it is false, whatever the operator. */
    private static int test(Operator operator, Value left, Value right) {
        if (left.isNull() || right.isNull()) {
            return UNKNOWN;
        }
        if (left.isNumber() && right.isNumber()) {
            return Condition.of(numbers(operator, left, right));
        }
        if (left.kind() != right.kind() || operator.isOrder()) {
            return FALSE;
        }
        return switch (left.kind()) {
            case STRING -> Condition.of(left.sameText(right) == (operator == Operator.EQUAL));
            case BOOLEAN -> Condition.of((left.booleanValue() == right.booleanValue()) == (operator == Operator.EQUAL));
            default -> FALSE;
        };
    }

    private static boolean numbers(Operator operator, Value left, Value right) {
        switch (promoted(left, right)) {
            case INT, LONG -> {
                int order = Long.compare(left.longValue(), right.longValue());
                return operator.holds(order < 0, order == 0, order > 0);
            }
            case FLOAT -> {
                float l = left.floatValue();
                float r = right.floatValue();
                return operator.holds(l < r, l == r, l > r);
            }
            default -> {
                double l = left.doubleValue();
                double r = right.doubleValue();
                return operator.holds(l < r, l == r, l > r);
            }
        }
    }

    /** Java's binary numeric promotion. */
    static Value.Kind promoted(Value left, Value right) {
        return left.kind().compareTo(right.kind()) >= 0 ? left.kind() : right.kind();
    }

    /** {@code x >= low AND x <= high}, or {@code x < low OR x > high} where it is negated. */
    static Condition between(Term term, Term low, Term high, boolean negated) {
        Value value = new Value();
        Value lowest = new Value();
        Value highest = new Value();
        return fields -> {
            term.load(fields, value);
            low.load(fields, lowest);
            high.load(fields, highest);
            return negated
                    ? Math.max(test(Operator.LESS, value, lowest), test(Operator.GREATER, value, highest))
                    : Math.min(
                            test(Operator.GREATER_OR_EQUAL, value, lowest),
                            test(Operator.LESS_OR_EQUAL, value, highest));
        };
    }

    /** What is no string is in no set of strings, nor, being of an unlike type, outside it. */
    static Condition in(Term term, TextSet texts, boolean negated) {
        Value value = new Value();
        return fields -> {
            term.load(fields, value);
            if (value.isNull()) {
                return UNKNOWN;
            }
            return Condition.of(value.isString() && texts.contains(value) != negated);
        };
    }

    /** As {@link #in}: what is no string is neither like a pattern nor unlike it. */
    static Condition like(Term term, LikePattern pattern, boolean negated) {
        Value value = new Value();
        return fields -> {
            term.load(fields, value);
            if (value.isNull()) {
                return UNKNOWN;
            }
            return Condition.of(value.isString() && pattern.matches(value) != negated);
        };
    }

    static Condition isNull(Term term, boolean negated) {
        Value value = new Value();
        return fields -> {
            term.load(fields, value);
            return Condition.of(value.isNull() != negated);
        };
    }
}
