package io.duramen.broker.selector;

import io.duramen.broker.selector.grammar.SelectorLexer;
import io.duramen.broker.selector.grammar.SelectorParser;
import io.duramen.broker.selector.grammar.SelectorParser.SelectorContext;
import java.util.List;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerNoViableAltException;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;

/** From a text to the tree of the grammar, within limits. Any thread: holds nothing. */
final class SelectorParsing {
    /** Ends the parse at the first error. */
    private static final class FirstError extends BaseErrorListener {
        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                Object offending,
                int line,
                int column,
                String message,
                RecognitionException e) {
            if (!(offending instanceof Token token)) {
                throw unreadable((LexerNoViableAltException) e);
            }
            throw InvalidSelector.at(
                    token,
                    token.getType() == Token.EOF
                            ? "it ends where more is expected"
                            : "'" + token.getText() + "' is not expected here");
        }

        private static RuntimeException unreadable(LexerNoViableAltException e) {
            int at = e.getStartIndex();
            String first = e.getInputStream().getText(Interval.of(at, at));
            return InvalidSelector.at(
                    at,
                    first.equals("'")
                            ? "the text that begins here has no closing quote"
                            : "'" + first + "' has no meaning in a selector");
        }
    }

    private SelectorParsing() {}

    static SelectorContext parse(String text, SelectorLimits limits) {
        if (text.length() > limits.lengthMax()) {
            throw InvalidSelector.at(
                    limits.lengthMax(),
                    "it has " + text.length() + " characters; the limit is " + limits.lengthMax()
                            + " (broker.selector-length)");
        }
        checkPairs(text);
        SelectorLexer lexer = new SelectorLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(new FirstError());
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        checkLimits(tokens.getTokens(), limits);
        SelectorParser parser = new SelectorParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(new FirstError());
        return parser.selector();
    }

    /** Half of a surrogate pair has no place in UTF-8, so no message can have it. */
    private static void checkPairs(String text) {
        int characters = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            int character = text.codePointAt(i);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw InvalidSelector.at(characters, "half of a surrogate pair is no character");
            }
            characters++;
        }
    }

    /** Before the parser's recursion: brackets are all that it descends into. */
    private static void checkLimits(List<Token> tokens, SelectorLimits limits) {
        int depth = 0;
        int nodes = 0;
        for (Token token : tokens) {
            switch (token.getType()) {
                case SelectorLexer.OPEN -> depth++;
                case SelectorLexer.CLOSE -> depth--;
                case SelectorLexer.COMMA, Token.EOF -> {
                    // Counts for nothing.
                }
                default -> nodes++;
            }
            if (depth > limits.depthMax()) {
                throw InvalidSelector.at(
                        token,
                        "brackets are nested deeper than the limit of " + limits.depthMax()
                                + " (broker.selector-depth)");
            }
            if (nodes > limits.nodesMax()) {
                throw InvalidSelector.at(
                        token,
                        "it has more operators, names and literals than the limit of " + limits.nodesMax()
                                + " (broker.selector-nodes)");
            }
        }
    }
}
