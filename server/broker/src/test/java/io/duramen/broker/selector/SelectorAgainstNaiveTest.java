package io.duramen.broker.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** 100,000 random pairs of a selector and a message: the compiled selector says what the naive evaluator says. */
class SelectorAgainstNaiveTest {
    private static final int PAIRS = Integer.getInteger("selector.pairs", 100_000);
    private static final int MESSAGES_FOR_EACH = 4;
    private static final SelectorLimits LIMITS = new SelectorLimits(100_000, 100, 10_000);

    private int trues;
    private int falses;
    private int unknowns;

    @Test
    void shouldAgreeWithTheNaiveEvaluatorWhenSelectorAndMessageAreRandom() {
        for (long seed = 0; seed < PAIRS / MESSAGES_FOR_EACH; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            RandomSelectors selectors = new RandomSelectors(random);
            Ast ast = selectors.condition(3);
            String text = selectors.write(ast);
            Selector selector = Selector.parse(text, LIMITS);
            Selector negated = Selector.parse("NOT (" + text + ")", LIMITS);
            for (int i = 0; i < MESSAGES_FOR_EACH; i++) {
                RandomMessage message = RandomMessage.draw(random);
                Boolean expected = ast.truth(message.fields());
                assertThat(truth(selector, negated, message.record()))
                        .as("seed %d: %s on %s", seed, text, message.fields())
                        .isEqualTo(expected);
                count(expected);
            }
        }
        assertThat(Math.min(trues, Math.min(falses, unknowns)))
                .as("%d true, %d false, %d unknown", trues, falses, unknowns)
                .isGreaterThan(PAIRS / 10);
    }

    /** What is neither true nor false when negated is unknown. */
    private static Boolean truth(Selector selector, Selector negated, ByteBuffer record) {
        ByteBuffer shifted = ByteBuffer.allocateDirect(record.remaining() + 3)
                .position(3)
                .put(record.duplicate())
                .clear();
        boolean matches = selector.matches(shifted, 3, 0);
        boolean matchesNegated = negated.matches(record, 0, 0);
        assertThat(matches && matchesNegated).isFalse();
        return matches || matchesNegated ? matches : null;
    }

    private void count(Boolean truth) {
        if (truth == null) {
            unknowns++;
        } else if (truth) {
            trues++;
        } else {
            falses++;
        }
    }
}
