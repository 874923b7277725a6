package io.duramen.node.management;

import io.duramen.broker.shard.OperatorRequest.ConsumerEntry;
import io.duramen.broker.shard.OperatorRequest.ConsumersPage;
import io.duramen.broker.shard.OperatorRequest.FindPlaces;
import io.duramen.broker.shard.OperatorRequest.ListConsumers;
import io.duramen.management.ConsumerPage;
import io.duramen.management.ConsumerRow;
import io.duramen.node.management.ShardQuestions.Deadline;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which connections consume a destination, of all shards, by page. For one operation, by one thread. */
final class Consumers {
    private final ShardQuestions shards;

    Consumers(ShardQuestions shards) {
        this.shards = shards;
    }

    /** By connection, and name of the subscription there. */
    private record Place(long connection, String subscription) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::connection).thenComparing(Place::subscription);

        static Place parse(String text) {
            if (text.isEmpty()) {
                return new Place(0, "");
            }
            if (!text.matches("\\d{1,18}:(?s:.*)")) {
                throw new ProtocolException(
                        ErrorCode.INVALID_REQUEST,
                        "'" + text + "' is no place in consumers: CONNECTION:SUBSCRIPTION is due");
            }
            int colon = text.indexOf(':');
            return new Place(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
        }

        static Place of(ConsumerRow row) {
            return new Place(row.connection(), row.subscription());
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }

        @Override
        public String toString() {
            return connection + ":" + subscription;
        }
    }

    /** @throws ProtocolException where there is no such destination */
    ConsumerPage of(String destination, String after, int limit) {
        Deadline deadline = shards.deadline();
        Place from = Place.parse(after);
        shards.ask(ShardQuestions.CATALOGUE, new FindPlaces(destination), deadline);
        Map<Place, ConsumerRow> all = new TreeMap<>();
        boolean more = false;
        for (ConsumersPage some :
                shards.askAll(new ListConsumers(destination, from.connection, from.subscription, limit), deadline)) {
            some.entries().stream().map(Consumers::row).forEach(row -> all.merge(Place.of(row), row, Consumers::both));
            more |= some.more();
        }
        List<ConsumerRow> rows = all.values().stream().limit(limit).toList();
        more |= all.size() > limit;
        return new ConsumerPage(rows, more ? Place.of(rows.get(limit - 1)).toString() : "");
    }

    private static ConsumerRow row(ConsumerEntry one) {
        return new ConsumerRow(
                one.connection(), one.user(), one.clientId(), one.subscription(), one.consumers(), one.held());
    }

    private static ConsumerRow both(ConsumerRow here, ConsumerRow there) {
        return new ConsumerRow(
                here.connection(),
                here.user(),
                here.clientId(),
                here.subscription(),
                Math.max(here.consumers(), there.consumers()),
                here.held() + there.held());
    }
}
