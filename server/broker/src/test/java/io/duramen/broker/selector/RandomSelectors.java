package io.duramen.broker.selector;

import io.duramen.broker.selector.Ast.Absent;
import io.duramen.broker.selector.Ast.Between;
import io.duramen.broker.selector.Ast.Both;
import io.duramen.broker.selector.Ast.Calculation;
import io.duramen.broker.selector.Ast.Compared;
import io.duramen.broker.selector.Ast.Either;
import io.duramen.broker.selector.Ast.Like;
import io.duramen.broker.selector.Ast.Literal;
import io.duramen.broker.selector.Ast.Minus;
import io.duramen.broker.selector.Ast.Name;
import io.duramen.broker.selector.Ast.Negated;
import io.duramen.broker.selector.Ast.OneOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Draws trees, and writes them down in one of the many ways that mean the same. */
final class RandomSelectors {
    static final List<String> NAMES = List.of(
            "a",
            "b",
            "c",
            "Größe",
            "$x_1",
            "JMSXGroupID",
            "JMSXGroupSeq",
            "JMSType",
            "JMSCorrelationID",
            "JMSPriority",
            "JMSTimestamp",
            "JMSDeliveryMode",
            "JMSMessageID",
            "JMS_Vendor_x");
    static final List<String> TEXTS = List.of(
            "",
            "a",
            "b",
            "ab",
            "aab",
            "abab",
            "it's",
            "100%",
            "a_b",
            "grün",
            "\uD83D\uDE00",
            "a\uD83D\uDE00b",
            "PERSISTENT",
            "NON_PERSISTENT",
            "ID:0000000000000007-3");
    private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");
    private static final String PATTERN_CHARACTERS = "ab%_%_'ü!";

    private final Random random;

    RandomSelectors(Random random) {
        this.random = random;
    }

    // ---- trees -----------------------------------------------------------------------------------------------------

    Ast condition(int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            return switch (random.nextInt(3)) {
                case 0 -> new Both(condition(depth - 1), condition(depth - 1));
                case 1 -> new Either(condition(depth - 1), condition(depth - 1));
                default -> new Negated(condition(depth - 1));
            };
        }
        boolean not = random.nextBoolean();
        return switch (random.nextInt(9)) {
            case 0 -> new Between(not, number(2), number(1), number(1));
            case 1 -> new OneOf(not, name(), texts());
            case 2, 3 -> like(not);
            case 4 -> new Absent(not, name());
            case 5 -> random.nextBoolean() ? name() : bool();
            case 6 -> equality();
            default -> new Compared(OPERATORS.get(random.nextInt(6)), number(2), number(2));
        };
    }

    private Ast equality() {
        while (true) {
            Ast left = any();
            Ast right = any();
            if (!isTruthBesideNumber(left, right) && !isTruthBesideNumber(right, left)) { // which is refused
                return new Compared(random.nextBoolean() ? "=" : "<>", left, right);
            }
        }
    }

    private static boolean isTruthBesideNumber(Ast truth, Ast number) {
        return truth instanceof Literal left
                && left.is() instanceof Boolean
                && number instanceof Literal right
                && right.is() instanceof Number;
    }

    private Ast any() {
        return switch (random.nextInt(4)) {
            case 0 -> name();
            case 1 -> text();
            case 2 -> random.nextInt(4) == 0 ? condition(1) : bool();
            default -> number(1);
        };
    }

    private Ast number(int depth) {
        if (depth > 0 && random.nextBoolean()) {
            return random.nextInt(4) == 0
                    ? new Minus(number(depth - 1))
                    : new Calculation("+-*/".charAt(random.nextInt(4)), number(depth - 1), number(depth - 1));
        }
        return random.nextBoolean() ? name() : numberLiteral();
    }

    private Name name() {
        return new Name(NAMES.get(random.nextInt(NAMES.size())));
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (int i = random.nextInt(12); i >= 0; i--) {
            texts.add(TEXTS.get(random.nextInt(TEXTS.size())));
        }
        return texts;
    }

    private Literal text() {
        String text = TEXTS.get(random.nextInt(TEXTS.size()));
        return new Literal(text, quoted(text));
    }

    private Literal bool() {
        boolean is = random.nextBoolean();
        return new Literal(is, word(is ? "TRUE" : "FALSE"));
    }

    private Literal numberLiteral() {
        return switch (random.nextInt(12)) {
            case 0 -> new Literal(Integer.MAX_VALUE, "2147483647");
            case 1 -> new Literal(2147483648L, "2147483648L"); // without the L, a minus before it makes it an int
            case 2 -> new Literal(Long.MAX_VALUE, "9_223_372_036_854_775_807");
            case 3 -> new Literal(2L, random.nextBoolean() ? "2L" : "0x2l");
            case 4 -> new Literal(-1, "0xFFFF_FFFF");
            case 5 -> new Literal(8, random.nextBoolean() ? "010" : "0b1000");
            case 6 -> new Literal(2.0, random.nextBoolean() ? "2." : "0.2E1");
            case 7 -> new Literal(0.5f, random.nextBoolean() ? ".5f" : "0x1P-1F");
            case 8 -> new Literal(16_777_217, "16777217");
            default -> {
                int small = random.nextInt(5);
                yield new Literal(small, String.valueOf(small));
            }
        };
    }

    private Like like(boolean not) {
        int escape = random.nextInt(3) == 0 ? '!' : -1;
        StringBuilder pattern = new StringBuilder();
        for (int i = random.nextInt(7); i > 0; i--) {
            pattern.append(PATTERN_CHARACTERS.charAt(random.nextInt(PATTERN_CHARACTERS.length())));
        }
        if (random.nextInt(4) == 0) {
            pattern.append("\uD83D\uDE00");
        }
        if (escape >= 0) {
            pattern.append('b'); // no escape character at the end
        }
        return new Like(not, name(), pattern.toString(), escape);
    }

    // ---- texts -----------------------------------------------------------------------------------------------------

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private String word(String word) {
        return random.nextBoolean() ? word : word.toLowerCase(Locale.ROOT);
    }

    private String space() {
        return " \t\n\f".substring(random.nextInt(4)).substring(0, 1);
    }

    private String maybeSpace() {
        return random.nextBoolean() ? "" : space();
    }

    /** How tightly the operator at the top of a tree binds. */
    private static int strength(Ast ast) {
        if (ast instanceof Either) {
            return 0;
        } else if (ast instanceof Both) {
            return 1;
        } else if (ast instanceof Negated) {
            return 2;
        } else if (ast instanceof Calculation calculation) {
            return calculation.operator() == '+' || calculation.operator() == '-' ? 4 : 5;
        } else if (ast instanceof Minus) {
            return 6;
        }
        return ast instanceof Literal || ast instanceof Name ? 7 : 3;
    }

    String write(Ast ast) {
        return write(ast, 0);
    }

    private String write(Ast ast, int needed) {
        String text = plain(ast);
        boolean brackets = strength(ast) < needed || random.nextInt(8) == 0;
        return brackets ? "(" + maybeSpace() + text + maybeSpace() + ")" : text;
    }

    private String plain(Ast ast) {
        if (ast instanceof Literal literal) {
            return literal.written();
        } else if (ast instanceof Name name) {
            return name.name();
        } else if (ast instanceof Minus minus) {
            return "-" + maybeSpace() + write(minus.of(), 6);
        } else if (ast instanceof Calculation c) {
            int own = strength(c);
            return write(c.left(), own) + maybeSpace() + c.operator() + maybeSpace() + write(c.right(), own + 1);
        } else if (ast instanceof Compared c) {
            return write(c.left(), 4) + maybeSpace() + c.operator() + maybeSpace() + write(c.right(), 4);
        } else if (ast instanceof Negated negated) {
            return word("NOT") + space() + write(negated.of(), 2);
        } else if (ast instanceof Both both) {
            return write(both.left(), 1) + space() + word("AND") + space() + write(both.right(), 2);
        } else if (ast instanceof Either either) {
            return write(either.left(), 0) + space() + word("OR") + space() + write(either.right(), 1);
        }
        return predicate(ast);
    }

    private String predicate(Ast ast) {
        if (ast instanceof Between b) {
            return write(b.of(), 4)
                    + not(b.not())
                    + word("BETWEEN")
                    + space()
                    + write(b.low(), 4)
                    + space()
                    + word("AND")
                    + space()
                    + write(b.high(), 4);
        } else if (ast instanceof OneOf in) {
            List<String> literals =
                    in.texts().stream().map(RandomSelectors::quoted).toList();
            return write(in.of(), 7) + not(in.not()) + word("IN") + maybeSpace() + "("
                    + String.join(maybeSpace() + "," + maybeSpace(), literals) + ")";
        } else if (ast instanceof Like like) {
            String escape = like.escape() < 0 ? "" : space() + word("ESCAPE") + space() + "'!'";
            return write(like.of(), 7)
                    + not(like.not())
                    + word("LIKE")
                    + maybeSpace()
                    + quoted(like.pattern())
                    + escape;
        }
        Absent absent = (Absent) ast;
        return write(absent.of(), 7)
                + space()
                + word("IS")
                + (absent.not() ? space() + word("NOT") : "")
                + space()
                + word("NULL");
    }

    private String not(boolean not) {
        return space() + (not ? word("NOT") + space() : "");
    }
}
