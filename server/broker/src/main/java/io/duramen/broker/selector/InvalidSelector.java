package io.duramen.broker.selector;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Makes the refusals. Any thread. */
final class InvalidSelector {
    private InvalidSelector() {}

    /** @param index of the character, counted from 0 */
    static ProtocolException at(int index, String what) {
        return new ProtocolException(
                ErrorCode.INVALID_SELECTOR, "the selector is wrong at character " + (index + 1) + ": " + what);
    }

    static ProtocolException at(Token token, String what) {
        return at(token.getStartIndex(), what);
    }

    static ProtocolException at(ParserRuleContext rule, String what) {
        return at(rule.getStart(), what);
    }
}
