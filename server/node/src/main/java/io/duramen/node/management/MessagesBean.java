package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.Action;
import io.duramen.broker.shard.OperatorRequest.FindPlaces;
import io.duramen.broker.shard.OperatorRequest.Holder;
import io.duramen.broker.shard.OperatorRequest.Places;
import io.duramen.broker.shard.OperatorRequest.SeenMessage;
import io.duramen.broker.shard.OperatorRequest.Store;
import io.duramen.broker.shard.OperatorRequest.TakeBack;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.broker.shard.ShardCounters;
import io.duramen.broker.shard.ShardCounters.Counter;
import io.duramen.management.HeldPage;
import io.duramen.management.HeldRow;
import io.duramen.management.MessagePage;
import io.duramen.management.MessageRow;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.MoveResult;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.PartitionRef;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Thread-safe. */
final class MessagesBean implements MessagesMXBean {
    private static final int PRIORITY_USUAL = 4;

    private final List<ShardCounters> counters;
    private final ShardQuestions shards;
    private final Audit audit;

    /** With a number, the JMSMessageID of what is sent by hand. */
    private final long idProducer = new SecureRandom().nextLong() | 1;

    private final AtomicLong lastNumber = new AtomicLong();

    MessagesBean(List<ShardCounters> counters, ShardQuestions shards, Audit audit) {
        this.counters = counters;
        this.shards = shards;
        this.audit = audit;
    }

    @Override
    public long getMoved() {
        return Counts.sum(counters, Counter.MESSAGES_MOVED);
    }

    @Override
    public long getCopied() {
        return Counts.sum(counters, Counter.MESSAGES_COPIED);
    }

    private static Target queue(String name) {
        return new Target.OfQueue(Text.orEmpty(name));
    }

    private static String by(String selector, long limit) {
        return ", selector '" + Text.orEmpty(selector) + "', limit " + limit;
    }

    // ---- looking ---------------------------------------------------------------------------------------------------

    @Override
    public MessagePage browse(String queue, String selector, String after, int limit) {
        return audit.look(
                "browsing of queue '" + queue + "'" + by(selector, limit),
                () -> page(queue(queue), selector, after, limit));
    }

    @Override
    public MessagePage browseSubscription(String clientId, String name, String selector, String after, int limit) {
        return audit.look(
                "browsing of subscription '" + name + "' of client id '" + Text.orEmpty(clientId) + "'"
                        + by(selector, limit),
                () -> page(
                        new Target.OfSubscription(Text.orEmpty(clientId), Text.orEmpty(name)), selector, after, limit));
    }

    private MessagePage page(Target target, String selector, String after, int limit) {
        requirePage(limit);
        List<MessageRow> rows = new ArrayList<>();
        String next = new Browsing(shards, target)
                .page(
                        Text.orEmpty(after),
                        limit,
                        new Browsing.Wanted(Text.orEmpty(selector), PREVIEW_MAX, false),
                        (partition, message) -> rows.add(ShownMessage.row(partition, message)));
        return new MessagePage(rows, next);
    }

    private static void requirePage(int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a page of " + limit + " messages: 1 to " + PAGE_MAX + " are allowed");
        }
    }

    @Override
    public MessageRow read(String queue, String id) {
        return audit.look("reading of message " + id + " of queue '" + queue + "'", () -> {
            MessagePlace place = MessagePlace.parse(id);
            return ShownMessage.row(place.partition(), new Browsing(shards, queue(queue)).one(place, READ_MAX));
        });
    }

    @Override
    public HeldPage held(String queue, String after, int limit) {
        return audit.look("list of what consumers hold of queue '" + queue + "'", () -> {
            requirePage(limit);
            List<HeldRow> rows = new ArrayList<>();
            String next = new Browsing(shards, queue(queue))
                    .page(
                            Text.orEmpty(after),
                            limit,
                            new Browsing.Wanted("", 0, true),
                            (partition, message) -> rows.add(held(partition, message)));
            return new HeldPage(rows, next);
        });
    }

    private static HeldRow held(int partition, SeenMessage message) {
        Holder holder = message.holder().orElseThrow();
        return new HeldRow(
                MessagePlace.text(partition, message.offset()),
                ShownMessage.messageId(message.record()),
                holder.connection(),
                holder.user(),
                holder.clientId(),
                holder.consumer(),
                holder.heldMillis(),
                message.deliveries());
    }

    // ---- changing --------------------------------------------------------------------------------------------------

    @Override
    public void takeBack(String queue, String id) {
        audit.change("taking back of message " + id + " of queue '" + queue + "'", () -> {
            MessagePlace message = MessagePlace.parse(id);
            Browsing browsing = new Browsing(shards, queue(queue));
            Browsing.Place place = browsing.find(message);
            shards.ask(
                    place.shard(),
                    new TakeBack(queue(queue), message.partition(), message.offset()),
                    browsing.deadline());
            return "it comes again";
        });
    }

    @Override
    public String sendText(String destination, String text) {
        return send(destination, text, Map.of(), PRIORITY_USUAL, 0);
    }

    @Override
    public String send(
            String destination, String text, Map<String, String> properties, int priority, long timeToLiveMillis) {
        String body = Text.orEmpty(text);
        return audit.change("sending of a text of " + body.length() + " characters to '" + destination + "'", () -> {
            if (body.length() > TEXT_MAX) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "a text of " + body.length() + " characters: the limit is " + TEXT_MAX);
            }
            Deadline deadline = shards.deadline();
            Places places = shards.ask(ShardQuestions.CATALOGUE, new FindPlaces(Text.orEmpty(destination)), deadline);
            TextRecord.Id id = new TextRecord.Id(
                    idProducer, lastNumber.incrementAndGet(), System.currentTimeMillis(), timeToLiveMillis);
            ByteBuffer record = TextRecord.of(body, properties == null ? Map.of() : properties, priority, id);
            PartitionRef to = places.partitions()
                    .get((int) (id.idNumber() % places.partitions().size()));
            shards.ask(to.shard(), new Store(to.partition(), record), deadline);
            return ShownMessage.messageId(record);
        });
    }

    private Sweeping sweeping(String queue, String selector, Action action, List<PartitionRef> to, long limit) {
        return new Sweeping(shards, new Sweeping.Task(queue(queue), Text.orEmpty(selector), action, to, limit));
    }

    /** @throws ProtocolException where it is no queue, or the same */
    private List<PartitionRef> to(String queue, String from) {
        String name = Text.orEmpty(queue);
        Places places = shards.ask(ShardQuestions.CATALOGUE, new FindPlaces(name), shards.deadline());
        if (!places.kind().isQueue()) {
            throw new ProtocolException(ErrorCode.DESTINATION_KIND_MISMATCH, "'" + name + "' is a topic, not a queue");
        }
        if (name.equals(from)) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "they are in '" + name + "' already");
        }
        return places.partitions();
    }

    @Override
    public MoveResult move(String queue, String selector, String to, long limit) {
        return audit.change(
                "move of messages of queue '" + queue + "' to '" + to + "'" + by(selector, limit),
                () -> sweeping(queue, selector, Action.MOVE, to(to, queue), limit)
                        .run());
    }

    @Override
    public void moveOne(String queue, String id, String to) {
        audit.change("move of message " + id + " of queue '" + queue + "' to '" + to + "'", () -> {
            sweeping(queue, "", Action.MOVE, to(to, queue), 1).one(MessagePlace.parse(id));
            return "it is there";
        });
    }

    @Override
    public MoveResult copy(String queue, String selector, String to, long limit) {
        return audit.change(
                "copy of messages of queue '" + queue + "' to '" + to + "'" + by(selector, limit),
                () -> sweeping(queue, selector, Action.COPY, to(to, queue), limit)
                        .run());
    }

    @Override
    public void copyOne(String queue, String id, String to) {
        audit.change("copy of message " + id + " of queue '" + queue + "' to '" + to + "'", () -> {
            sweeping(queue, "", Action.COPY, to(to, queue), 1).one(MessagePlace.parse(id));
            return "it is there, too";
        });
    }

    @Override
    public void deleteOne(String queue, String id) {
        audit.change("delete of message " + id + " of queue '" + queue + "'", () -> {
            sweeping(queue, "", Action.DROP, List.of(), 1).one(MessagePlace.parse(id));
            return "it is gone";
        });
    }

    @Override
    public MoveResult expire(String queue, String selector, long limit) {
        return audit.change(
                "expiry by hand of messages of queue '" + queue + "'" + by(selector, limit),
                () -> sweeping(queue, selector, Action.EXPIRE, List.of(), limit).run());
    }

    @Override
    public void expireOne(String queue, String id) {
        audit.change("expiry by hand of message " + id + " of queue '" + queue + "'", () -> {
            sweeping(queue, "", Action.EXPIRE, List.of(), 1).one(MessagePlace.parse(id));
            return "it has expired";
        });
    }
}
