package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.FindStretches;
import io.duramen.broker.shard.OperatorRequest.Look;
import io.duramen.broker.shard.OperatorRequest.Seen;
import io.duramen.broker.shard.OperatorRequest.SeenMessage;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/** Looks at the messages of a queue or a subscription, a page at a time. For one operation, by one thread. */
final class Browsing {
    /** How often shards are asked for one page: what is looked at is bounded by that, whatever the selector leaves out. */
    private static final int QUESTIONS_MAX = 64;

    private final ShardQuestions shards;
    private final Target target;
    private final Deadline deadline;

    Browsing(ShardQuestions shards, Target target) {
        this.shards = shards;
        this.target = target;
        this.deadline = shards.deadline();
    }

    /** Unsettled messages of one partition. */
    record Place(int shard, Stretch stretch) {}

    /** What is wanted of each message. */
    record Wanted(String selector, int bodyBytes, boolean heldOnly) {}

    /**
     * All partitions, in their order.
     *
     * @throws ProtocolException where the target is nowhere
     */
    List<Place> places(String selector) {
        List<List<Stretch>> all = shards.askAll(new FindStretches(target, selector), deadline);
        List<Place> places = new ArrayList<>();
        for (int shard = 0; shard < all.size(); shard++) {
            for (Stretch stretch : all.get(shard)) {
                places.add(new Place(shard, stretch));
            }
        }
        if (places.isEmpty()) {
            throw nowhere(target);
        }
        places.sort(Comparator.comparingInt(place -> place.stretch.partition()));
        return places;
    }

    static ProtocolException nowhere(Target target) {
        if (target instanceof Target.OfSubscription subscription) {
            return new ProtocolException(
                    ErrorCode.SUBSCRIPTION_NOT_FOUND,
                    "no durable subscription '" + subscription.name() + "' of client id '" + subscription.clientId()
                            + "'");
        }
        return new ProtocolException(
                ErrorCode.DESTINATION_NOT_FOUND, "no queue '" + ((Target.OfQueue) target).name() + "'");
    }

    /**
     * Takes a page.
     *
     * @param after as the page before said; empty for the first
     * @param row takes each message with its partition
     * @return what to ask for behind; empty at the end
     */
    String page(String after, int limit, Wanted wanted, BiConsumer<Integer, SeenMessage> row) {
        MessagePlace from = after.isEmpty() ? new MessagePlace(0, 0) : MessagePlace.parse(after);
        int taken = 0;
        int asked = 0;
        for (Place place : places(wanted.selector)) {
            int partition = place.stretch.partition();
            long next = place.stretch.from();
            if (partition < from.partition()) {
                continue;
            }
            if (partition == from.partition()) {
                next = Math.max(next, from.offset());
            }
            while (next < place.stretch.end()) {
                if (taken == limit || asked == QUESTIONS_MAX || deadline.isOver()) {
                    return MessagePlace.text(partition, next);
                }
                Stretch rest = new Stretch(partition, next, place.stretch.end());
                Seen seen = shards.ask(
                        place.shard,
                        new Look(target, rest, wanted.selector, limit - taken, wanted.bodyBytes, wanted.heldOnly),
                        deadline);
                seen.messages().forEach(message -> row.accept(partition, message));
                taken += seen.messages().size();
                asked++;
                next = seen.next();
            }
        }
        return "";
    }

    /**
     * Where one message is.
     *
     * @throws ProtocolException where the partition is none of the target's
     */
    Place find(MessagePlace message) {
        return places("").stream()
                .filter(place -> place.stretch.partition() == message.partition())
                .map(place -> new Place(
                        place.shard, new Stretch(message.partition(), message.offset(), message.offset() + 1)))
                .findFirst()
                .orElseThrow(() -> none(message));
    }

    /** @throws ProtocolException where it is settled, or never was */
    SeenMessage one(MessagePlace message, int bodyBytes) {
        Place place = find(message);
        Seen seen = shards.ask(place.shard, new Look(target, place.stretch, "", 1, bodyBytes, false), deadline);
        if (seen.messages().isEmpty()) {
            throw none(message);
        }
        return seen.messages().get(0);
    }

    private static ProtocolException none(MessagePlace message) {
        return new ProtocolException(
                ErrorCode.INVALID_REQUEST, "message " + message + " is not there: it is settled, or never was");
    }

    Deadline deadline() {
        return deadline;
    }
}
