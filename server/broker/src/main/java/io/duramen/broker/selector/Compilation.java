package io.duramen.broker.selector;

import io.duramen.broker.selector.Comparison.Operator;
import io.duramen.broker.selector.grammar.SelectorParser;
import io.duramen.broker.selector.grammar.SelectorParser.BetweenContext;
import io.duramen.broker.selector.grammar.SelectorParser.ComparisonContext;
import io.duramen.broker.selector.grammar.SelectorParser.ConjunctionContext;
import io.duramen.broker.selector.grammar.SelectorParser.DisjunctionContext;
import io.duramen.broker.selector.grammar.SelectorParser.InContext;
import io.duramen.broker.selector.grammar.SelectorParser.LikeContext;
import io.duramen.broker.selector.grammar.SelectorParser.NegationContext;
import io.duramen.broker.selector.grammar.SelectorParser.PredicateContext;
import io.duramen.broker.selector.grammar.SelectorParser.PrimaryContext;
import io.duramen.broker.selector.grammar.SelectorParser.ProductContext;
import io.duramen.broker.selector.grammar.SelectorParser.SelectorContext;
import io.duramen.broker.selector.grammar.SelectorParser.SignedContext;
import io.duramen.broker.selector.grammar.SelectorParser.SumContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Makes conditions out of the grammar's tree, and refuses operands of the wrong kind. Used once, by one thread. */
final class Compilation {
    private final Map<String, Integer> slots = new HashMap<>();
    private final List<String> identifiers = new ArrayList<>();

    Condition compile(SelectorContext selector) {
        return condition(disjunction(selector.disjunction()), selector.disjunction());
    }

    /** The fields that the selector names. */
    RecordFields fields() {
        return new RecordFields(identifiers);
    }

    // ---- logic -----------------------------------------------------------------------------------------------------

    private Expression disjunction(DisjunctionContext rule) {
        List<ConjunctionContext> parts = rule.conjunction();
        if (parts.size() == 1) {
            return conjunction(parts.get(0));
        }
        return Condition.or(
                parts.stream().map(part -> condition(conjunction(part), part)).toArray(Condition[]::new));
    }

    private Expression conjunction(ConjunctionContext rule) {
        List<NegationContext> parts = rule.negation();
        if (parts.size() == 1) {
            return negation(parts.get(0));
        }
        return Condition.and(
                parts.stream().map(part -> condition(negation(part), part)).toArray(Condition[]::new));
    }

    private Expression negation(NegationContext rule) {
        Expression expression = predicate(rule.predicate());
        int negations = rule.NOT().size();
        if (negations == 0) {
            return expression;
        }
        Condition condition = condition(expression, rule.predicate());
        return negations % 2 == 0 ? condition : Condition.not(condition);
    }

    private Condition condition(Expression expression, ParserRuleContext rule) {
        if (expression instanceof Condition condition) {
            return condition;
        }
        Term term = (Term) expression;
        if (term.kind() != Term.Kind.ANY && term.kind() != Term.Kind.BOOLEAN) {
            throw InvalidSelector.at(rule, "a condition is expected, and '" + rule.getText() + "' is none");
        }
        return Term.isTrue(term);
    }

    // ---- predicates ------------------------------------------------------------------------------------------------

    private Expression predicate(PredicateContext rule) {
        if (rule.comparison() != null) {
            return comparison(rule.sum(), rule.comparison());
        } else if (rule.between() != null) {
            return between(rule.sum(), rule.between());
        } else if (rule.in() != null) {
            return in(rule.sum(), rule.in());
        } else if (rule.like() != null) {
            return like(rule.sum(), rule.like());
        } else if (rule.nullity() != null) {
            boolean negated = rule.nullity().NOT() != null;
            return Comparison.isNull(identifier(rule.sum(), "IS NULL"), negated);
        }
        return sum(rule.sum());
    }

    private Condition comparison(SumContext left, ComparisonContext rule) {
        Operator operator = switch (rule.operator.getType()) {
            case SelectorParser.EQUAL -> Operator.EQUAL;
            case SelectorParser.NOT_EQUAL -> Operator.NOT_EQUAL;
            case SelectorParser.LESS -> Operator.LESS;
            case SelectorParser.LESS_OR_EQUAL -> Operator.LESS_OR_EQUAL;
            case SelectorParser.GREATER -> Operator.GREATER;
            default -> Operator.GREATER_OR_EQUAL;
        };
        if (operator.isOrder()) {
            String use = "'" + rule.operator.getText() + "'";
            return new Comparison(operator, numeric(sum(left), left, use), numeric(sum(rule.sum()), rule.sum(), use));
        }
        Term first = term(sum(left));
        Term second = term(sum(rule.sum()));
        if (isTruthBesideNumber(first, second) || isTruthBesideNumber(second, first)) {
            throw InvalidSelector.at(rule.sum(), "TRUE and FALSE cannot be compared with a number");
        }
        return new Comparison(operator, first, second);
    }

    /** Written out as such: what identifiers and conditions come to is for their messages to say. */
    private static boolean isTruthBesideNumber(Term truth, Term number) {
        return truth instanceof Term.Constant
                && truth.kind() == Term.Kind.BOOLEAN
                && number instanceof Term.Constant
                && number.kind() == Term.Kind.NUMBER;
    }

    private Condition between(SumContext left, BetweenContext rule) {
        return Comparison.between(
                numeric(sum(left), left, "BETWEEN"),
                numeric(sum(rule.low), rule.low, "BETWEEN"),
                numeric(sum(rule.high), rule.high, "BETWEEN"),
                rule.NOT() != null);
    }

    private Condition in(SumContext left, InContext rule) {
        List<String> texts = rule.STRING().stream()
                .map(literal -> textOf(literal.getSymbol()))
                .distinct()
                .toList();
        return Comparison.in(identifier(left, "IN"), new TextSet(texts), rule.NOT() != null);
    }

    private Condition like(SumContext left, LikeContext rule) {
        int escape = -1;
        if (rule.escape != null) {
            String text = textOf(rule.escape);
            if (text.codePointCount(0, text.length()) != 1) {
                throw InvalidSelector.at(rule.escape, "the escape character must be one character");
            }
            escape = text.codePointAt(0);
        }
        LikePattern pattern = LikePattern.parse(textOf(rule.pattern), escape);
        if (pattern == null) {
            throw InvalidSelector.at(rule.pattern, "the pattern ends with its escape character");
        }
        return Comparison.like(identifier(left, "LIKE"), pattern, rule.NOT() != null);
    }

    private Term identifier(SumContext rule, String use) {
        if (sum(rule) instanceof Term.Field field) {
            return field;
        }
        throw InvalidSelector.at(rule, use + " asks about an identifier, and '" + rule.getText() + "' is none");
    }

    // ---- arithmetic ------------------------------------------------------------------------------------------------

    private Expression sum(SumContext rule) {
        List<ProductContext> parts = rule.product();
        if (parts.size() == 1) {
            return product(parts.get(0));
        }
        Term[] terms = parts.stream()
                .map(part -> numeric(product(part), part, "'" + operatorBeside(rule, part) + "'"))
                .toArray(Term[]::new);
        return new Arithmetic(terms, operators(rule));
    }

    private Expression product(ProductContext rule) {
        List<SignedContext> parts = rule.signed();
        if (parts.size() == 1) {
            return signed(parts.get(0));
        }
        Term[] terms = parts.stream()
                .map(part -> numeric(signed(part), part, "'" + operatorBeside(rule, part) + "'"))
                .toArray(Term[]::new);
        return new Arithmetic(terms, operators(rule));
    }

    private static Arithmetic.Operator[] operators(ParserRuleContext rule) {
        List<Arithmetic.Operator> operators = new ArrayList<>();
        for (ParseTree child : rule.children) {
            if (child instanceof TerminalNode node) {
                operators.add(
                        switch (node.getSymbol().getType()) {
                            case SelectorParser.PLUS -> Arithmetic.Operator.PLUS;
                            case SelectorParser.MINUS -> Arithmetic.Operator.MINUS;
                            case SelectorParser.TIMES -> Arithmetic.Operator.TIMES;
                            default -> Arithmetic.Operator.DIVIDED;
                        });
            }
        }
        return operators.toArray(Arithmetic.Operator[]::new);
    }

    private static String operatorBeside(ParserRuleContext rule, ParserRuleContext part) {
        int index = rule.children.indexOf(part);
        return rule.getChild(index == 0 ? 1 : index - 1).getText();
    }

    private Expression signed(SignedContext rule) {
        int signs = rule.getChildCount() - 1;
        PrimaryContext primary = rule.primary();
        if (signs == 0) {
            return primary(primary);
        }
        String last = rule.getChild(signs - 1).getText();
        Term number = number(primary, last.equals("-"));
        Term term = number != null ? number : numeric(primary(primary), primary, "'" + last + "'");
        int minuses = rule.MINUS().size() - (number != null && last.equals("-") ? 1 : 0);
        return new Arithmetic.Signed(term, minuses % 2 != 0);
    }

    private Term numeric(Expression expression, ParserRuleContext rule, String use) {
        if (expression instanceof Term term && (term.kind() == Term.Kind.ANY || term.kind() == Term.Kind.NUMBER)) {
            return term;
        }
        throw InvalidSelector.at(rule, use + " takes numbers, and '" + rule.getText() + "' is none");
    }

    private static Term term(Expression expression) {
        return expression instanceof Term term ? term : new Term.Truth((Condition) expression);
    }

    // ---- leaves ----------------------------------------------------------------------------------------------------

    private Expression primary(PrimaryContext rule) {
        Term number = number(rule, false);
        if (number != null) {
            return number;
        } else if (rule.disjunction() != null) {
            return disjunction(rule.disjunction());
        } else if (rule.IDENTIFIER() != null) {
            return field(rule.IDENTIFIER().getSymbol());
        } else if (rule.STRING() != null) {
            ByteBuffer utf8 = StandardCharsets.UTF_8.encode(textOf(rule.STRING().getSymbol()));
            return new Term.Constant(Term.Kind.STRING, new Value().setText(utf8, 0, utf8.limit()));
        }
        return new Term.Constant(Term.Kind.BOOLEAN, new Value().setBoolean(rule.TRUE() != null));
    }

    /** @return null where it is no literal of a number */
    private static Term number(PrimaryContext rule, boolean negative) {
        if (rule.INTEGER() != null) {
            return new Term.Constant(
                    Term.Kind.NUMBER, NumberLiteral.integer(rule.INTEGER().getSymbol(), negative));
        } else if (rule.DECIMAL() != null) {
            return new Term.Constant(
                    Term.Kind.NUMBER, NumberLiteral.approximate(rule.DECIMAL().getSymbol(), negative));
        }
        return null;
    }

    private Term.Field field(Token token) {
        String identifier = token.getText();
        boolean isHeader =
                identifier.startsWith("JMS") && !identifier.startsWith("JMSX") && !identifier.startsWith("JMS_");
        if (isHeader && HeaderField.of(identifier) == null) {
            throw InvalidSelector.at(
                    token,
                    "'" + identifier + "' is not among the headers that a selector may name: JMSDeliveryMode,"
                            + " JMSPriority, JMSMessageID, JMSTimestamp, JMSCorrelationID, JMSType");
        }
        int slot = slots.computeIfAbsent(identifier, name -> {
            identifiers.add(name);
            return identifiers.size() - 1;
        });
        return new Term.Field(identifier, slot);
    }

    /** Without its quotes; a quote inside was written twice. */
    static String textOf(Token literal) {
        String text = literal.getText();
        return text.substring(1, text.length() - 1).replace("''", "'");
    }
}
