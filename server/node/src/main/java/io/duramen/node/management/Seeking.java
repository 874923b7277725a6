package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.Stretch;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.management.MoveResult;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Has a subscription pass over messages. For one operation, by one thread. */
final class Seeking {
    private final ShardQuestions shards;
    private final Target target;

    Seeking(ShardQuestions shards, Target target) {
        this.shards = shards;
        this.target = target;
    }

    /** @throws ProtocolException where it is no place, or one that is settled or not there yet */
    MoveResult seek(String to) {
        if (to.equals("latest")) {
            return passOver("");
        }
        if (to.equals("earliest")) {
            new Browsing(shards, target).places(""); // there is such a subscription
            return new MoveResult(0, 0, true);
        }
        if (to.contains("T")) {
            return passOver("JMSTimestamp < " + time(to).toEpochMilli());
        }
        MessagePlace place = MessagePlace.parse(to);
        Browsing.Place there = new Browsing(shards, target)
                .places("").stream()
                        .filter(one -> one.stretch().partition() == place.partition())
                        .findFirst()
                        .orElseThrow(() -> new ProtocolException(
                                ErrorCode.INVALID_REQUEST,
                                "partition " + place.partition() + " is none of the subscription's"));
        Stretch stretch = there.stretch();
        if (place.offset() < stretch.from()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + " is settled, and such are not kept: the first that is there is "
                            + MessagePlace.text(stretch.partition(), stretch.from()));
        }
        if (place.offset() > stretch.end()) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "message " + place + " is not there yet: the next will be "
                            + MessagePlace.text(stretch.partition(), stretch.end()));
        }
        Stretch before = new Stretch(stretch.partition(), stretch.from(), place.offset());
        return new Sweeping(shards, task("")).over(List.of(new Browsing.Place(there.shard(), before)));
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
