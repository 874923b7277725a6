package io.duramen.node;

import static io.duramen.node.ManagedNode.ADMINISTER;
import static io.duramen.node.ManagedNode.OPERATE;
import static io.duramen.node.ManagedNode.VIEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duramen.jms.AcknowledgeModes;
import io.duramen.jms.DeadLetters;
import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.management.AttachedRow;
import io.duramen.management.BranchRow;
import io.duramen.management.BranchesMXBean;
import io.duramen.management.ConnectionRow;
import io.duramen.management.ConnectionsMXBean;
import io.duramen.management.DeadLettersMXBean;
import io.duramen.management.DestinationRow;
import io.duramen.management.DestinationsMXBean;
import io.duramen.management.MessagesMXBean;
import io.duramen.management.SettingRow;
import io.duramen.management.SubscriptionRow;
import io.duramen.management.SubscriptionsMXBean;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.remote.JMXConnector;
import javax.transaction.xa.XAResource;

/** A case for each operation of the MXBeans: who may call it, after what, and what comes of it. */
final class OperationCases {
    private static final long PATIENCE_MILLIS = 20_000;

    private final Map<String, Case> cases = new TreeMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ManagedNode node;
    private final Session session;

    /** What a client did before, to a destination that the case has for itself. */
    @FunctionalInterface
    interface Setting {
        void of(String destination) throws Exception;
    }

    /** One call by a user; gives what came of it. */
    @FunctionalInterface
    interface Call {
        Object by(JMXConnector user, String destination) throws Exception;
    }

    /** @param right the least that lets it through */
    record Case(int right, Object expected, Setting setting, Call call) {}

    OperationCases(ManagedNode node) throws Exception {
        this.node = node;
        this.session = node.connection().createSession();
        destinations();
        subscriptions();
        messages();
        moves();
        deadLettersAndBranches();
        connections();
    }

    /** By TYPE.OPERATION. */
    Map<String, Case> all() {
        return cases;
    }

    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private void add(String operation, int right, Object expected, Setting setting, Call call) {
        assertThat(cases.put(operation, new Case(right, expected, setting, call)))
                .isNull();
    }

    // ---- whom they call --------------------------------------------------------------------------------------------

    private DestinationsMXBean destinations(JMXConnector user) {
        return node.of(DestinationsMXBean.class, user);
    }

    private SubscriptionsMXBean subscriptions(JMXConnector user) {
        return node.of(SubscriptionsMXBean.class, user);
    }

    private MessagesMXBean messages(JMXConnector user) {
        return node.of(MessagesMXBean.class, user);
    }

    private DeadLettersMXBean deadLetters(JMXConnector user) {
        return node.of(DeadLettersMXBean.class, user);
    }

    private BranchesMXBean branches(JMXConnector user) {
        return node.of(BranchesMXBean.class, user);
    }

    private ConnectionsMXBean connections(JMXConnector user) {
        return node.of(ConnectionsMXBean.class, user);
    }

    // ---- what was done before --------------------------------------------------------------------------------------

    private void nothing(String destination) {}

    private void emptyQueue(String queue) throws Exception {
        session.createConsumer(session.createQueue(queue)).close();
    }

    private void two(String queue) throws Exception {
        emptyQueue("to-" + queue);
        for (int i = 0; i < 2; i++) {
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("m" + i));
        }
    }

    private void twoPaused(String queue) throws Exception {
        two(queue);
        try (JMXConnector operator = node.as(OPERATE)) {
            destinations(operator).pause(queue);
        }
    }

    private void durable(String topic) throws Exception {
        session.createSharedDurableConsumer(session.createTopic(topic), topic).close();
        for (int i = 0; i < 2; i++) {
            session.createProducer(session.createTopic(topic)).send(session.createTextMessage("m" + i));
        }
    }

    private void durablePaused(String topic) throws Exception {
        durable(topic);
        try (JMXConnector operator = node.as(OPERATE)) {
            subscriptions(operator).pause("", topic);
        }
    }

    private void held(String queue) throws Exception {
        two(queue);
        Session holding = node.connection().createSession(Session.CLIENT_ACKNOWLEDGE);
        open.add(holding);
        assertThat(holding.createConsumer(holding.createQueue(queue)).receive(PATIENCE_MILLIS))
                .isNotNull();
    }

    private void dead(String queue) throws Exception {
        two(queue);
        try (Session refusing = node.connection().createSession(AcknowledgeModes.INDIVIDUAL)) {
            DeadLetters.refuse(
                    refusing.createConsumer(refusing.createQueue(queue)).receive(PATIENCE_MILLIS), "not now");
        }
    }

    /** The one branch that there is then. */
    private void prepared(String queue) throws Exception {
        try (JMXConnector administrator = node.as(ADMINISTER)) {
            branches(administrator)
                    .list()
                    .forEach(one -> branches(administrator).rollBack(one.id()));
        }
        XAConnection xa = new DuramenXAConnectionFactory(node.url()).createXAConnection();
        open.add(xa);
        XASession sending = xa.createXASession();
        XAResource resource = sending.getXAResource();
        TestXid xid = new TestXid(queue);
        resource.start(xid, XAResource.TMNOFLAGS);
        sending.createProducer(sending.createQueue(queue)).send(sending.createTextMessage("m"));
        resource.end(xid, XAResource.TMSUCCESS);
        resource.prepare(xid);
    }

    private void named(String clientId) throws Exception {
        Connection other = new DuramenConnectionFactory(node.url()).createConnection();
        open.add(other);
        other.setClientID(clientId);
    }

    private void consuming(String clientId) throws Exception {
        Connection other = new DuramenConnectionFactory(node.url()).createConnection();
        open.add(other);
        other.setClientID(clientId);
        Session consuming = other.createSession();
        consuming.createConsumer(consuming.createQueue(clientId));
    }

    // ---- what they see ---------------------------------------------------------------------------------------------

    private DestinationRow row(JMXConnector user, String destination) {
        return destinations(user).list(destination, "", 1).rows().get(0);
    }

    private SettingRow setting(JMXConnector user, String destination, String key) {
        return destinations(user).settings(destination).stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private SubscriptionRow subscription(JMXConnector user, String topic) {
        return subscriptions(user).list(topic, 0, 1).rows().get(0);
    }

    private String first(String queue) throws Exception {
        try (JMXConnector operator = node.as(OPERATE)) {
            return messages(operator).browse(queue, "", "", 1).rows().get(0).id();
        }
    }

    private BranchRow branch(JMXConnector user) {
        List<BranchRow> rows = branches(user).list();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private List<Long> connectionsOf(JMXConnector user, String clientId) {
        return connections(user).list(0, ConnectionsMXBean.PAGE_MAX).stream()
                .filter(one -> one.clientId().equals(clientId))
                .map(ConnectionRow::id)
                .toList();
    }

    private List<AttachedRow> consumersOf(JMXConnector user, String clientId) {
        return connections(user).consumers(connectionsOf(user, clientId).get(0), 0, 9);
    }

    // ---- the cases -------------------------------------------------------------------------------------------------

    private void destinations() {
        add("Destinations.list", VIEW, 2L, this::two, (user, q) -> row(user, q).messages());
        add(
                "Destinations.consumers",
                VIEW,
                1,
                this::held,
                (user, q) -> destinations(user).consumers(q, "", 9).rows().size());
        add("Destinations.create", OPERATE, 3, this::nothing, (user, q) -> {
            destinations(user).create(q, "QUEUE", 3);
            return row(user, q).partitions();
        });
        add("Destinations.addPartitions", ADMINISTER, 5, this::two, (user, q) -> {
            destinations(user).addPartitions(q, 5);
            return row(user, q).partitions();
        });
        add(
                "Destinations.settings",
                VIEW,
                "DLQ.for-Destinations.settings",
                this::two,
                (user, q) -> setting(user, q, "dead-letters").value());
        add("Destinations.change", ADMINISTER, new SettingRow("max", "3", true), this::two, (user, q) -> {
            destinations(user).change(q, "max:3");
            return setting(user, q, "max");
        });
        add("Destinations.pause", OPERATE, true, this::two, (user, q) -> {
            destinations(user).pause(q);
            return row(user, q).paused();
        });
        add("Destinations.resume", OPERATE, false, this::twoPaused, (user, q) -> {
            destinations(user).resume(q);
            return row(user, q).paused();
        });
        add("Destinations.delete", ADMINISTER, List.of(), this::two, (user, q) -> {
            destinations(user).delete(q);
            return destinations(user).list(q, "", 1).rows();
        });
        add("Destinations.seek", ADMINISTER, 0L, this::two, (user, q) -> {
            destinations(user).seek(q, "latest");
            return row(user, q).messages();
        });
        add(
                "Destinations.purge",
                ADMINISTER,
                2L,
                this::two,
                (user, q) -> destinations(user).purge(q, "", 9).done());
    }

    private void subscriptions() {
        add(
                "Subscriptions.list",
                VIEW,
                2L,
                this::durable,
                (user, t) -> subscription(user, t).backlog());
        add("Subscriptions.pause", OPERATE, true, this::durable, (user, t) -> {
            subscriptions(user).pause("", t);
            return subscription(user, t).paused();
        });
        add("Subscriptions.resume", OPERATE, false, this::durablePaused, (user, t) -> {
            subscriptions(user).resume("", t);
            return subscription(user, t).paused();
        });
        add("Subscriptions.seek", ADMINISTER, 0L, this::durable, (user, t) -> {
            subscriptions(user).seek("", t, "latest");
            return subscription(user, t).backlog();
        });
        add("Subscriptions.purge", ADMINISTER, 1L, this::durable, (user, t) -> {
            subscriptions(user).purge("", t, "", 1);
            return subscription(user, t).backlog();
        });
    }

    private void messages() {
        add(
                "Messages.browse",
                OPERATE,
                2,
                this::two,
                (user, q) -> messages(user).browse(q, "", "", 9).rows().size());
        add(
                "Messages.browseSubscription",
                OPERATE,
                2,
                this::durable,
                (user, t) -> messages(user)
                        .browseSubscription("", t, "", "", 9)
                        .rows()
                        .size());
        add(
                "Messages.read",
                OPERATE,
                "m0",
                this::two,
                (user, q) -> messages(user).read(q, first(q)).preview());
        add(
                "Messages.held",
                OPERATE,
                false,
                this::held,
                (user, q) -> messages(user).held(q, "", 9).rows().isEmpty());
        add("Messages.takeBack", OPERATE, 1, this::held, (user, q) -> {
            String id = first(q);
            messages(user).takeBack(q, id);
            return messages(user).read(q, id).deliveries();
        });
        add("Messages.send", OPERATE, 1L, this::emptyQueue, (user, q) -> {
            messages(user).send(q, "x", Map.of("a", "b"), 4, 0);
            return row(user, q).messages();
        });
        add("Messages.sendText", OPERATE, 1L, this::emptyQueue, (user, q) -> {
            messages(user).sendText(q, "x");
            return row(user, q).messages();
        });
    }

    private void moves() {
        add(
                "Messages.move",
                OPERATE,
                2L,
                this::two,
                (user, q) -> messages(user).move(q, "", "to-" + q, 9).done());
        add("Messages.moveOne", OPERATE, 1L, this::two, (user, q) -> {
            messages(user).moveOne(q, first(q), "to-" + q);
            return row(user, "to-" + q).messages();
        });
        add(
                "Messages.copy",
                OPERATE,
                2L,
                this::two,
                (user, q) -> messages(user).copy(q, "", "to-" + q, 9).done());
        add("Messages.copyOne", OPERATE, 1L, this::two, (user, q) -> {
            messages(user).copyOne(q, first(q), "to-" + q);
            return row(user, "to-" + q).messages();
        });
        add("Messages.deleteOne", ADMINISTER, 1L, this::two, (user, q) -> {
            messages(user).deleteOne(q, first(q));
            return row(user, q).messages();
        });
        add(
                "Messages.expire",
                ADMINISTER,
                2L,
                this::two,
                (user, q) -> messages(user).expire(q, "", 9).done());
        add("Messages.expireOne", ADMINISTER, 1L, this::two, (user, q) -> {
            messages(user).expireOne(q, first(q));
            return row(user, q).messages();
        });
    }

    private void deadLettersAndBranches() {
        add(
                "DeadLetters.list",
                OPERATE,
                "refused by its consumer: not now",
                this::dead,
                (user, q) -> deadLetters(user)
                        .list("DLQ." + q, q, "", "", 9)
                        .rows()
                        .get(0)
                        .cause());
        add("DeadLetters.sendBack", OPERATE, 2L, this::dead, (user, q) -> {
            deadLetters(user).sendBack("DLQ." + q, q, "", 9);
            return row(user, q).messages();
        });
        add("DeadLetters.sendBackSlowly", OPERATE, 2L, this::dead, (user, q) -> {
            deadLetters(user).sendBackSlowly("DLQ." + q, q, "", 9, 100);
            return row(user, q).messages();
        });
        add("Branches.list", VIEW, 1L, this::prepared, (user, q) -> branch(user).messages());
        add("Branches.commit", ADMINISTER, 1L, this::prepared, (user, q) -> {
            branches(user).commit(branch(user).id());
            return row(user, q).messages();
        });
        add("Branches.rollBack", ADMINISTER, 0L, this::prepared, (user, q) -> {
            branches(user).rollBack(branch(user).id());
            return row(user, q).messages();
        });
    }

    private void connections() {
        add(
                "Connections.list",
                VIEW,
                1,
                this::named,
                (user, c) -> connectionsOf(user, c).size());
        add(
                "Connections.consumers",
                VIEW,
                false,
                this::consuming,
                (user, c) -> consumersOf(user, c).isEmpty());
        add("Connections.closeConsumer", OPERATE, List.of(), this::consuming, (user, c) -> {
            long connection = connectionsOf(user, c).get(0);
            int consumer = consumersOf(user, c).get(0).consumer();
            connections(user).closeConsumer(connection, consumer);
            await().until(() -> consumersOf(user, c).isEmpty());
            return consumersOf(user, c);
        });
        add("Connections.close", OPERATE, true, this::named, (user, c) -> {
            List<Long> before = connectionsOf(user, c);
            connections(user).close(before.get(0));
            await().until(() -> !connectionsOf(user, c).containsAll(before));
            return true;
        });
    }
}
