package io.duramen.broker.selector;

import java.util.List;
import java.util.Map;

/**
 * A selector as a plain tree that evaluates itself over a map: the second, naive evaluator. Written from section 3.8 alone;
 * shares nothing with the first. A value is null for NULL, {@link #NOTHING} for what has no type; a truth is null for
 * unknown.
 */
sealed interface Ast {
    Object NOTHING = new Object();

    Object value(Map<String, Object> message);

    default Boolean truth(Map<String, Object> message) {
        return value(message) instanceof Boolean b ? b : null;
    }

    /** A literal and how it is written. */
    record Literal(Object is, String written) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            return is;
        }
    }

    record Name(String name) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            return message.get(name);
        }
    }

    record Minus(Ast of) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Object value = of.value(message);
            if (value == null) {
                return null;
            } else if (value instanceof Double d) {
                return -d;
            } else if (value instanceof Float f) {
                return -f;
            } else if (value instanceof Long l) {
                return -l;
            }
            return value instanceof Number n ? (Object) (-n.intValue()) : NOTHING;
        }
    }

    record Calculation(char operator, Ast left, Ast right) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Object l = left.value(message);
            Object r = right.value(message);
            if (l == null || r == null) {
                return null;
            }
            if (!(l instanceof Number a) || !(r instanceof Number b)) {
                return NOTHING;
            }
            if (l instanceof Double || r instanceof Double) {
                return calculate(a.doubleValue(), b.doubleValue());
            } else if (l instanceof Float || r instanceof Float) {
                return calculate(a.floatValue(), b.floatValue());
            } else if (operator == '/' && b.longValue() == 0) {
                return null;
            } else if (l instanceof Long || r instanceof Long) {
                return calculate(a.longValue(), b.longValue());
            }
            return calculate(a.intValue(), b.intValue());
        }

        private Object calculate(double a, double b) {
            return operator == '+' ? a + b : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }

        private Object calculate(float a, float b) {
            return operator == '+' ? a + b : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }

        private Object calculate(long a, long b) {
            return operator == '+' ? a + b : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }

        private Object calculate(int a, int b) {
            return operator == '+' ? a + b : operator == '-' ? a - b : operator == '*' ? a * b : a / b;
        }
    }

    record Compared(String operator, Ast left, Ast right) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            return compare(operator, left.value(message), right.value(message));
        }

        static Boolean compare(String operator, Object l, Object r) {
            if (l == null || r == null) {
                return null;
            }
            if (l instanceof Number a && r instanceof Number b) {
                return numbers(operator, a, b);
            }
            boolean alike = l instanceof String && r instanceof String || l instanceof Boolean && r instanceof Boolean;
            return alike && (operator.equals("=") && l.equals(r) || operator.equals("<>") && !l.equals(r));
        }

        private static boolean numbers(String operator, Number a, Number b) {
            if (a instanceof Double || b instanceof Double) {
                return primitives(operator, a.doubleValue(), b.doubleValue());
            } else if (a instanceof Float || b instanceof Float) {
                return primitives(operator, a.floatValue(), b.floatValue());
            }
            int order = Long.compare(a.longValue(), b.longValue());
            return primitives(operator, order, 0);
        }

        /** Floats and ints are compared as doubles exactly. */
        private static boolean primitives(String operator, double a, double b) {
            return switch (operator) {
                case "=" -> a == b;
                case "<>" -> a != b;
                case "<" -> a < b;
                case "<=" -> a <= b;
                case ">" -> a > b;
                default -> a >= b;
            };
        }
    }

    record Between(boolean not, Ast of, Ast low, Ast high) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            return not
                    ? new Either(new Compared("<", of, low), new Compared(">", of, high)).value(message)
                    : new Both(new Compared(">=", of, low), new Compared("<=", of, high)).value(message);
        }
    }

    record OneOf(boolean not, Name of, List<String> texts) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Object value = of.value(message);
            return value == null ? null : (Boolean) (value instanceof String && texts.contains(value) != not);
        }
    }

    /** @param escape -1 for none */
    record Like(boolean not, Name of, String pattern, int escape) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Object value = of.value(message);
            if (value == null) {
                return null;
            }
            return value instanceof String text
                    && matches(
                                    pattern.codePoints().toArray(),
                                    0,
                                    text.codePoints().toArray(),
                                    0)
                            != not;
        }

        private boolean matches(int[] wanted, int i, int[] text, int j) {
            if (i == wanted.length) {
                return j == text.length;
            }
            if (wanted[i] == escape) {
                return j < text.length && text[j] == wanted[i + 1] && matches(wanted, i + 2, text, j + 1);
            }
            if (wanted[i] == '%') {
                for (int end = j; end <= text.length; end++) {
                    if (matches(wanted, i + 1, text, end)) {
                        return true;
                    }
                }
                return false;
            }
            return j < text.length && (wanted[i] == '_' || wanted[i] == text[j]) && matches(wanted, i + 1, text, j + 1);
        }
    }

    record Absent(boolean not, Name of) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            return (of.value(message) == null) != not;
        }
    }

    record Both(Ast left, Ast right) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Boolean l = left.truth(message);
            Boolean r = right.truth(message);
            if (Boolean.FALSE.equals(l) || Boolean.FALSE.equals(r)) {
                return false;
            }
            return l == null || r == null ? null : (Object) true;
        }
    }

    record Either(Ast left, Ast right) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Boolean l = left.truth(message);
            Boolean r = right.truth(message);
            if (Boolean.TRUE.equals(l) || Boolean.TRUE.equals(r)) {
                return true;
            }
            return l == null || r == null ? null : (Object) false;
        }
    }

    record Negated(Ast of) implements Ast {
        @Override
        public Object value(Map<String, Object> message) {
            Boolean truth = of.truth(message);
            return truth == null ? null : (Object) !truth;
        }
    }
}
