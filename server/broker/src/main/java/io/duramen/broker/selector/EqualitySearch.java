package io.duramen.broker.selector;

import io.duramen.broker.selector.grammar.SelectorParser;
import io.duramen.broker.selector.grammar.SelectorParser.DisjunctionContext;
import io.duramen.broker.selector.grammar.SelectorParser.NegationContext;
import io.duramen.broker.selector.grammar.SelectorParser.PredicateContext;
import io.duramen.broker.selector.grammar.SelectorParser.PrimaryContext;
import io.duramen.broker.selector.grammar.SelectorParser.SelectorContext;
import io.duramen.broker.selector.grammar.SelectorParser.SumContext;
import java.util.List;
import java.util.Optional;

/**
 * Finds in a selector what it demands of one field: {@code name = 'text'} or {@code name IN ('text', …)}, alone or joined
 * with the rest by AND. Of several it takes the correlation id, else the first. Any thread: holds nothing.
 */
final class EqualitySearch {
    private static final String PREFERRED = "JMSCorrelationID";

    private EqualitySearch() {}

    static Optional<Equality> in(SelectorContext selector) {
        return Optional.ofNullable(in(selector.disjunction()));
    }

    private static Equality in(DisjunctionContext rule) {
        if (rule.conjunction().size() != 1) {
            return null;
        }
        Equality found = null;
        for (NegationContext part : rule.conjunction(0).negation()) {
            Equality one = part.NOT().isEmpty() ? in(part.predicate()) : null;
            if (one != null && (found == null || one.field().equals(PREFERRED))) {
                found = one;
            }
        }
        return found;
    }

    private static Equality in(PredicateContext rule) {
        PrimaryContext left = only(rule.sum());
        if (left == null) {
            return null;
        }
        if (rule.comparison() != null) {
            PrimaryContext right = only(rule.comparison().sum());
            if (right == null || rule.comparison().operator.getType() != SelectorParser.EQUAL) {
                return null;
            }
            return left.IDENTIFIER() != null ? equality(left, right) : equality(right, left);
        } else if (rule.in() != null && rule.in().NOT() == null && left.IDENTIFIER() != null) {
            List<String> texts = rule.in().STRING().stream()
                    .map(literal -> Compilation.textOf(literal.getSymbol()))
                    .distinct()
                    .toList();
            return new Equality(left.IDENTIFIER().getText(), texts);
        }
        return left.disjunction() != null && rule.getChildCount() == 1 ? in(left.disjunction()) : null;
    }

    private static Equality equality(PrimaryContext name, PrimaryContext text) {
        if (name.IDENTIFIER() == null || text.STRING() == null) {
            return null;
        }
        return new Equality(
                name.IDENTIFIER().getText(),
                List.of(Compilation.textOf(text.STRING().getSymbol())));
    }

    /** @return null where it is not one operand alone, without a sign; out of its brackets where it is one there too */
    private static PrimaryContext only(SumContext rule) {
        boolean alone = rule.getChildCount() == 1
                && rule.product(0).getChildCount() == 1
                && rule.product(0).signed(0).getChildCount() == 1;
        if (!alone) {
            return null;
        }
        PrimaryContext primary = rule.product(0).signed(0).primary();
        DisjunctionContext inner = primary.disjunction();
        boolean bracketed = inner != null
                && inner.getChildCount() == 1
                && inner.conjunction(0).getChildCount() == 1
                && inner.conjunction(0).negation(0).getChildCount() == 1
                && inner.conjunction(0).negation(0).predicate().getChildCount() == 1;
        PrimaryContext within =
                bracketed ? only(inner.conjunction(0).negation(0).predicate().sum()) : null;
        return within == null ? primary : within;
    }
}
