package io.duramen.broker.shard;

import io.duramen.broker.BrokerConfig;
import io.duramen.broker.selector.MessageFilter;
import io.duramen.broker.selector.Selector;
import io.duramen.broker.selector.SelectorLimits;
import io.duramen.broker.selector.SubscriptionFilter;
import io.duramen.metadata.ShardImage.SubscriptionRow;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import java.util.Objects;

/** What consumers, subscriptions and browsers ask to be chosen for them. Confined to the agent. */
final class Selecting {
    private final SelectorLimits limits;

    /** A request asks more than once. */
    private String lastText;

    private MessageFilter last = MessageFilter.ALL;

    Selecting(BrokerConfig config) {
        limits = new SelectorLimits(config.selectorLength(), config.selectorDepth(), config.selectorNodes());
    }

    /** @throws ProtocolException with INVALID_SELECTOR where it is none */
    MessageFilter filter(String selector) {
        if (!Objects.equals(selector, lastText)) {
            last = Selector.filter(selector, limits);
            lastText = selector;
        }
        return last;
    }

    /** @throws ProtocolException where the selector is none, or the kind of subscription has no noLocal */
    void check(Attach.Request request) {
        filter(request.selector());
        boolean unshared = request.subscription() == SubscriptionKind.EXCLUSIVE
                || request.subscription() == SubscriptionKind.DURABLE;
        if (request.noLocal() && !unshared) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a subscription that is shared, or a queue's, has no noLocal");
        }
    }

    /** Of a subscription that lives as long as its consumers. */
    MessageFilter soft(Attach.Request request) {
        return SubscriptionFilter.of(filter(request.selector()), request.noLocal() ? request.publisher() : "");
    }

    /** Of a durable subscription, whose selector was checked when it was made. */
    static MessageFilter restored(SubscriptionRow row) {
        return SubscriptionFilter.of(
                Selector.filter(row.selector(), SelectorLimits.NONE), row.noLocal() ? row.clientId() : "");
    }

    /** Whether a subscription was made with the selector and noLocal that are asked for now. */
    static boolean matches(SubscriptionRow row, Attach.Request request) {
        return row.selector().equals(Selector.normalized(request.selector())) && row.noLocal() == request.noLocal();
    }
}
