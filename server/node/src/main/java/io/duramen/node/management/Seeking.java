package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.FindKept;
import io.duramen.broker.shard.OperatorRequest.KeptStretch;
import io.duramen.broker.shard.OperatorRequest.MoveCursor;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.management.MoveResult;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Has a subscription go on elsewhere. Where its destination keeps what is settled, its cursors are moved, forwards or backwards;
 * else, and to the end, it passes over what it has not settled. For one operation, by one thread.
 */
final class Seeking {
    private final ShardQuestions shards;
    private final Target target;
    private final Deadline deadline;

    Seeking(ShardQuestions shards, Target target) {
        this.shards = shards;
        this.target = target;
        this.deadline = shards.deadline();
    }

    private record Place(int shard, KeptStretch stretch) {}

    /** @throws ProtocolException where it is no place, or one that is not kept, or not there yet */
    MoveResult seek(String to) {
        if (to.equals("latest")) {
            return passOver("");
        }
        if (to.equals("earliest")) {
            return all(places(0), KeptStretch::from, true);
        }
        if (to.contains("T")) {
            return time(time(to).toEpochMilli());
        }
        MessagePlace message = MessagePlace.parse(to);
        Place there = places(0).stream()
                .filter(one -> one.stretch.partition() == message.partition())
                .findFirst()
                .orElseThrow(() -> new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "partition " + message.partition() + " is none of the subscription's"));
        return there.stretch.kept() ? all(List.of(there), one -> message.offset(), false) : forwards(there, message);
    }

    private List<Place> places(long millis) {
        List<List<KeptStretch>> all = shards.askAll(new FindKept(target, millis), deadline);
        List<Place> places = new ArrayList<>();
        for (int shard = 0; shard < all.size(); shard++) {
            for (KeptStretch stretch : all.get(shard)) {
                places.add(new Place(shard, stretch));
            }
        }
        if (places.isEmpty()) {
            throw Browsing.nowhere(target);
        }
        return places;
    }

    /** Moves all that can be moved; none otherwise. */
    private MoveResult all(List<Place> places, ToLongFunction<KeptStretch> offsetOf, boolean orLater) {
        long again = 0;
        for (Place place : places) {
            KeptStretch stretch = place.stretch;
            if (stretch.kept()) {
                long offset = offsetOf.applyAsLong(stretch);
                shards.ask(place.shard, new MoveCursor(target, stretch.partition(), offset, orLater), deadline);
                again += stretch.end() - offset;
            }
        }
        return new MoveResult(again, 0, true);
    }

    /** What was stored at that time or later begins where the cursors go; what was sent before and stored behind is dropped. */
    private MoveResult time(long millis) {
        MoveResult moved = all(places(millis), KeptStretch::before, true);
        MoveResult passed = passOver("JMSTimestamp < " + millis);
        return new MoveResult(
                moved.done() == 0 ? passed.done() : Math.max(0, moved.done() - passed.done()),
                passed.skipped(),
                passed.complete());
    }

    private MoveResult forwards(Place there, MessagePlace place) {
        KeptStretch stretch = there.stretch;
        if (place.offset() < stretch.from()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + " is settled, and such are not kept (see keep of the destination's settings):"
                            + " the first that is there is " + MessagePlace.text(stretch.partition(), stretch.from()));
        }
        if (place.offset() > stretch.end()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + " is not there yet: the next will be "
                            + MessagePlace.text(stretch.partition(), stretch.end()));
        }
        Stretch before = new Stretch(stretch.partition(), stretch.from(), place.offset());
        return new Sweeping(shards, task("")).over(List.of(new Browsing.Place(there.shard, before)));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "'" + text + "' is no place: latest, earliest, PARTITION:OFFSET, or a time as"
                            + " 2027-01-31T08:00:00Z");
        }
    }

    private MoveResult passOver(String selector) {
        return new Sweeping(shards, task(selector)).run();
    }

    private Sweeping.Task task(String selector) {
        return new Sweeping.Task(target, selector, Action.DROP, Long.MAX_VALUE);
    }
}
