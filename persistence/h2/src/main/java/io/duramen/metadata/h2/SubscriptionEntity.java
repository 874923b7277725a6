package io.duramen.metadata.h2;

import io.duramen.metadata.ShardImage.SubscriptionRow;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A durable subscription's definition. */
@Entity
@Table(name = "subscription")
@IdClass(SubscriptionEntity.Key.class)
class SubscriptionEntity extends CheckedRow {
    record Key(int shard, int subscription) {}

    @Id
    private int shard;

    @Id
    @Column(name = "subscription_id")
    private int subscription;

    private String destination;

    @Column(name = "client_id")
    private String clientId;

    private String name;
    private int kind;
    private String selector;

    @Column(name = "no_local")
    private boolean noLocal;

    SubscriptionEntity() {}

    SubscriptionEntity(ResultSet row) throws SQLException {
        shard = row.getInt("shard");
        subscription = row.getInt("subscription_id");
        destination = row.getString("destination");
        clientId = row.getString("client_id");
        name = row.getString("name");
        kind = row.getInt("kind");
        selector = row.getString("selector");
        noLocal = row.getBoolean("no_local");
        read(row);
    }

    SubscriptionEntity(int shard, SubscriptionRow row) {
        this.shard = shard;
        subscription = row.subscription();
        destination = row.destination();
        clientId = row.clientId();
        name = row.name();
        kind = row.kind();
        selector = row.selector();
        noLocal = row.noLocal();
        seal();
    }

    static SubscriptionEntity keyed(int shard, int subscription) {
        SubscriptionEntity entity = new SubscriptionEntity();
        entity.shard = shard;
        entity.subscription = subscription;
        return entity;
    }

    SubscriptionRow toRow() {
        return new SubscriptionRow(subscription, destination, clientId, name, kind, selector, noLocal);
    }

    @Override
    long computedCheck() {
        return new RowCheck(4)
                .add(shard)
                .add(subscription)
                .add(destination)
                .add(clientId)
                .add(name)
                .add(kind)
                .add(selector)
                .add(noLocal ? 1 : 0)
                .value();
    }
}
