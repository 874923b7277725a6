package io.duramen.broker.selector;

import io.duramen.broker.selector.grammar.SelectorParser.SelectorContext;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A selector ready to be evaluated: as often as wanted, without making garbage. Holds the registers of its evaluation, so
 * that it is confined to one thread.
 */
public final class Selector implements MessageFilter {
    private final String text;
    private final RecordFields fields;
    private final Condition condition;
    private final Optional<Equality> equality;

    private Selector(String text, RecordFields fields, Condition condition, Optional<Equality> equality) {
        this.equality = equality;
        this.text = text;
        this.fields = fields;
        this.condition = condition;
    }

    /** Without white space around it; empty for no selector at all. */
    public static String normalized(String text) {
        return text == null ? "" : text.strip();
    }

    /**
     * What a consumer with this selector takes; {@link MessageFilter#ALL} where it is null, empty or blank.
     *
     * @throws ProtocolException as {@link #parse}
     */
    public static MessageFilter filter(String text, SelectorLimits limits) {
        String normalized = normalized(text);
        return normalized.isEmpty() ? ALL : parse(normalized, limits);
    }

    /**
     * @throws ProtocolException with {@link ErrorCode#INVALID_SELECTOR} where it is none or passes a limit; the detail says
     *     what is wrong and at which character, counted from 1
     */
    public static Selector parse(String text, SelectorLimits limits) {
        Compilation compilation = new Compilation();
        SelectorContext tree = SelectorParsing.parse(text, limits);
        Condition condition = compilation.compile(tree);
        return new Selector(text, compilation.fields(), condition, EqualitySearch.in(tree));
    }

    /** As it was parsed. */
    public String text() {
        return text;
    }

    @Override
    public boolean matches(ByteBuffer batch, int recordPosition, long offset) {
        fields.open(batch, recordPosition);
        return condition.test(fields) == Condition.TRUE && !fields.isDamaged();
    }

    @Override
    public Optional<Equality> equality() {
        return equality;
    }

    /** Equal texts make equal selectors. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Selector selector && selector.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
