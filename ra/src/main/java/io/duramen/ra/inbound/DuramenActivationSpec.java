package io.duramen.ra.inbound;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.jms.DuramenXAConnectionFactory;
import io.duramen.ra.address.LoginSource;
import io.duramen.ra.address.NodeLogin;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.Activation;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.IllegalStateException;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;

/**
 * One thread. What a message-driven bean says about what it is sent: the properties of Jakarta Messaging 3.1 (13.1) and of
 * the adapter, which have wrapper types as Jakarta Connectors wants it.
 */
@Activation(messageListeners = MessageListener.class)
public final class DuramenActivationSpec extends ForeignNames implements ActivationSpec {
    /** What the client's options can say. */
    private static final long WAIT_MAX = Integer.MAX_VALUE;

    private ResourceAdapter adapter;
    private NodeLogin own = NodeLogin.UNSAID;
    private String connectionFactoryLookup;
    private String destination;
    private String destinationLookup;
    private String destinationType;
    private String messageSelector;
    private String acknowledgeMode;
    private String subscriptionDurability;
    private String subscriptionName;
    private String clientId;
    private boolean sharedSubscription;
    private boolean useJndi;
    private int maxSessions = 10;
    private Integer minSessions;
    private long sessionIdleMillis = 30_000;
    private Integer prefetch;
    private int deliveriesMax;
    private Long redeliveryDelayMillis;
    private int redeliveryMultiplier = 2;
    private boolean redeliveryGrows = true;
    private long redeliveryDelayMaxMillis = 60_000;
    private int connectAttempts;
    private long connectDelayMillis = 500;
    private long connectDelayMaxMillis = 30_000;
    private int sequentialFailuresMax = 10;
    private long failurePauseMillis = 5_000;
    private long failurePauseMaxMillis = 60_000;

    // ---- what it means ---------------------------------------------------------------------------------------------

    /** {@inheritDoc} The message names the property, what it is, and what it may be. */
    @Override
    public void validate() throws InvalidPropertyException {
        SpecCheck check = new SpecCheck();
        boolean named = isSaid(destination);
        check.that("destination", named || isSaid(destinationLookup), "says nothing, nor does destinationLookup");
        check.that(
                "destinationType",
                !isSaid(destinationType) || isType(),
                "is " + destinationType + ", neither jakarta.jms.Queue nor jakarta.jms.Topic");
        check.that(
                "destinationType",
                isSaid(destinationType) || isSaid(destinationLookup) || isLookedUp(),
                "must say jakarta.jms.Queue or jakarta.jms.Topic beside a destination's name");
        check.that(
                "acknowledgeMode",
                AcknowledgeWord.isOne(acknowledgeMode),
                "is " + acknowledgeMode + ", neither Auto-acknowledge nor Dups-ok-acknowledge");
        check.that(
                "subscriptionDurability",
                !isSaid(subscriptionDurability) || isDurable() || "NonDurable".equalsIgnoreCase(subscriptionDurability),
                "is " + subscriptionDurability + ", neither Durable nor NonDurable");
        check.that(
                "subscriptionName",
                isSaid(subscriptionName) || !isDurable() && !sharedSubscription,
                "must name a subscription that is durable or shared");
        check.that(
                "clientId",
                isSaid(clientId) || !isDurable() || sharedSubscription || isSaid(connectionFactoryLookup),
                "must be there for a durable subscription that is not shared");
        check.that(
                "subscriptionDurability",
                !isQueue() || !isDurable() && !sharedSubscription,
                "is for topics, and " + destination + " is a queue");
        check.atLeast("maxSessions", maxSessions, 1);
        check.within("minSessions", getMinSessions(), 1, Math.max(1, maxSessions));
        check.atLeast("sessionIdleMillis", sessionIdleMillis, 1);
        check.atLeast("prefetch", prefetch == null ? 0 : prefetch, 0);
        check.atLeast("deliveriesMax", deliveriesMax, 0);
        check.within("redeliveryDelayMillis", redeliveryDelayMillis == null ? 0 : redeliveryDelayMillis, 0, WAIT_MAX);
        check.within("redeliveryMultiplier", redeliveryMultiplier, 1, 1_000);
        check.within("redeliveryDelayMaxMillis", redeliveryDelayMaxMillis, 0, WAIT_MAX);
        check.atLeast("connectAttempts", connectAttempts, 0);
        check.atLeast("connectDelayMillis", connectDelayMillis, 1);
        check.atLeast("connectDelayMaxMillis", connectDelayMaxMillis, connectDelayMillis);
        check.atLeast("sequentialFailuresMax", sequentialFailuresMax, 0);
        check.atLeast("failurePauseMillis", failurePauseMillis, 1);
        check.atLeast("failurePauseMaxMillis", failurePauseMaxMillis, failurePauseMillis);
        check.done();
    }

    private static boolean isSaid(String text) {
        return text != null && !text.isBlank();
    }

    private boolean isType() {
        return isQueue() || isTopic();
    }

    private boolean isQueue() {
        return Queue.class.getName().equals(destinationType) || "javax.jms.Queue".equals(destinationType);
    }

    private boolean isTopic() {
        return Topic.class.getName().equals(destinationType) || "javax.jms.Topic".equals(destinationType);
    }

    private boolean isDurable() {
        return "Durable".equalsIgnoreCase(subscriptionDurability);
    }

    private boolean isLookedUp() {
        return isSaid(destination) && (useJndi || destination.startsWith("java:"));
    }

    /** Where the node is and who logs in: as is said here, else by the factory that is named, else by the adapter. */
    public NodeLogin login() throws ResourceException {
        NodeLogin login = own;
        if (isSaid(connectionFactoryLookup)) {
            login = login.orElse(loginOf(Lookup.named(connectionFactoryLookup, "connectionFactoryLookup")));
        }
        return adapter instanceof LoginSource source ? login.orElse(source.login()) : login;
    }

    private NodeLogin loginOf(Object found) throws InvalidPropertyException {
        if (found instanceof LoginSource source) {
            return source.login();
        }
        if (found instanceof DuramenConnectionFactory plain) {
            return new NodeLogin(plain.getUrl(), plain.getUser(), plain.getPassword());
        }
        throw new InvalidPropertyException("connectionFactoryLookup: what is bound as " + connectionFactoryLookup
                + " is no connection factory of Duramen: " + found);
    }

    DuramenXAConnectionFactory factory() throws ResourceException {
        DuramenXAConnectionFactory factory = login().factory();
        if (prefetch != null) {
            factory.setPrefetch(prefetch);
        }
        if (redeliveryDelayMillis != null) {
            factory.setRedeliveryDelayMillis(redeliveryDelayMillis.intValue());
            factory.setRedeliveryMultiplier(isRedeliveryGrowing() ? redeliveryMultiplier : 1);
            factory.setRedeliveryDelayMaxMillis((int) redeliveryDelayMaxMillis);
        }
        if (isSaid(clientId)) {
            factory.setClientId(clientId);
        }
        return factory;
    }

    /** What is consumed; looks names up where it is to. */
    Source source() throws ResourceException {
        String name = isSaid(subscriptionName) ? subscriptionName : "";
        Source.Subscription subscription = new Source.Subscription(name, isDurable(), sharedSubscription);
        if (isSaid(destinationLookup)) {
            return Source.of(Lookup.named(destinationLookup, "destinationLookup"), messageSelector, subscription);
        }
        if (isLookedUp()) {
            return Source.of(Lookup.named(destination, "destination"), messageSelector, subscription);
        }
        return Source.named(isQueue(), destination, messageSelector, subscription);
    }

    int acknowledgeModeNumber() {
        return AcknowledgeWord.number(acknowledgeMode);
    }

    @Override
    public ResourceAdapter getResourceAdapter() {
        return adapter;
    }

    @Override
    public void setResourceAdapter(ResourceAdapter ra) throws ResourceException {
        if (adapter != null && adapter != ra) {
            throw new IllegalStateException("the activation spec belongs to another resource adapter already");
        }
        adapter = ra;
    }

    // ---- properties of Jakarta Messaging
    // -----------------------------------------------------------------------------

    public String getDestination() {
        return destination;
    }

    /** Name of a queue or topic; one that begins with {@code java:} is looked up. */
    public void setDestination(String value) {
        destination = value;
    }

    public String getDestinationLookup() {
        return destinationLookup;
    }

    public void setDestinationLookup(String value) {
        destinationLookup = value;
    }

    public String getDestinationType() {
        return destinationType;
    }

    public void setDestinationType(String value) {
        destinationType = value;
    }

    public String getMessageSelector() {
        return messageSelector;
    }

    public void setMessageSelector(String value) {
        messageSelector = value;
    }

    public String getAcknowledgeMode() {
        return acknowledgeMode;
    }

    public void setAcknowledgeMode(String value) {
        acknowledgeMode = value;
    }

    public String getSubscriptionDurability() {
        return subscriptionDurability;
    }

    public void setSubscriptionDurability(String value) {
        subscriptionDurability = value;
    }

    public String getSubscriptionName() {
        return subscriptionName;
    }

    public void setSubscriptionName(String value) {
        subscriptionName = value;
    }

    @Override
    public String getClientId() {
        return clientId;
    }

    public void setClientId(String value) {
        clientId = value;
    }

    public String getConnectionFactoryLookup() {
        return connectionFactoryLookup;
    }

    public void setConnectionFactoryLookup(String value) {
        connectionFactoryLookup = value;
    }

    // ---- properties of the adapter
    // -----------------------------------------------------------------------------------

    @Override
    public String getServerUrl() {
        return own.url();
    }

    public void setServerUrl(String value) {
        own = new NodeLogin(value, own.user(), own.password());
    }

    @Override
    public String getUserName() {
        return own.user();
    }

    public void setUserName(String value) {
        own = new NodeLogin(own.url(), value, own.password());
    }

    public String getPassword() {
        return own.password();
    }

    public void setPassword(String value) {
        own = new NodeLogin(own.url(), own.user(), value);
    }

    @Override
    public Boolean getSharedSubscription() {
        return sharedSubscription;
    }

    /** Whether the endpoints of several servers share the subscription. */
    public void setSharedSubscription(Boolean value) {
        sharedSubscription = value;
    }

    @Override
    public Integer getMaxSessions() {
        return maxSessions;
    }

    /** Messages that are worked on at a time; one on a topic whose subscription is not shared. */
    public void setMaxSessions(Integer value) {
        maxSessions = value;
    }

    @Override
    public Integer getMinSessions() {
        return minSessions == null ? Integer.valueOf(maxSessions) : minSessions;
    }

    /** Sessions that are there at least; up to {@link #getMaxSessions} where all are busy. All of those where it is not said. */
    public void setMinSessions(Integer value) {
        minSessions = value;
    }

    @Override
    public Long getSessionIdleMillis() {
        return sessionIdleMillis;
    }

    /** Sessions beyond the least that were not needed for so long are closed. */
    public void setSessionIdleMillis(Long value) {
        sessionIdleMillis = value;
    }

    public String getConcurrency() {
        return getMinSessions() + "-" + maxSessions;
    }

    /** Least and most sessions as {@code 2-10}, or the most alone. */
    public void setConcurrency(String range) {
        String[] ends = range.trim().split(" *- *", 2);
        try {
            minSessions = ends.length == 2 ? Integer.valueOf(ends[0]) : null;
            maxSessions = Integer.parseInt(ends[ends.length - 1]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("concurrency is " + range + ", neither as 10 nor as 2-10", e);
        }
    }

    @Override
    public Integer getPrefetch() {
        return prefetch;
    }

    /** As the client's option of this name, for each session. */
    public void setPrefetch(Integer value) {
        prefetch = value;
    }

    @Override
    public Integer getDeliveriesMax() {
        return deliveriesMax;
    }

    /** Deliveries that fail after which a message goes to the dead letters; 0 for as many as the node lets them be. */
    public void setDeliveriesMax(Integer value) {
        deliveriesMax = value;
    }

    @Override
    public Long getRedeliveryDelayMillis() {
        return redeliveryDelayMillis;
    }

    /** Wait of a message that failed before its first redelivery; null for as the node's policy has it. */
    public void setRedeliveryDelayMillis(Long value) {
        redeliveryDelayMillis = value;
    }

    @Override
    public Integer getRedeliveryMultiplier() {
        return redeliveryMultiplier;
    }

    /** By how much that wait grows each time. */
    public void setRedeliveryMultiplier(Integer value) {
        redeliveryMultiplier = value;
    }

    public Long getRedeliveryDelayMaxMillis() {
        return redeliveryDelayMaxMillis;
    }

    public void setRedeliveryDelayMaxMillis(Long value) {
        redeliveryDelayMaxMillis = value;
    }

    @Override
    public Integer getConnectAttempts() {
        return connectAttempts;
    }

    /** Attempts to begin after which it is given up; 0 for no limit. */
    public void setConnectAttempts(Integer value) {
        connectAttempts = value;
    }

    @Override
    public Long getConnectDelayMillis() {
        return connectDelayMillis;
    }

    /** Wait after the first attempt to begin that failed; doubles each time. */
    public void setConnectDelayMillis(Long value) {
        connectDelayMillis = value;
    }

    public Long getConnectDelayMaxMillis() {
        return connectDelayMaxMillis;
    }

    public void setConnectDelayMaxMillis(Long value) {
        connectDelayMaxMillis = value;
    }

    @Override
    public Integer getSequentialFailuresMax() {
        return sequentialFailuresMax;
    }

    /** Deliveries that fail in a row before the endpoint pauses; 0 for never. */
    public void setSequentialFailuresMax(Integer value) {
        sequentialFailuresMax = value;
    }

    public Long getFailurePauseMillis() {
        return failurePauseMillis;
    }

    /** Pause before one message is tried; doubles with each that fails. */
    public void setFailurePauseMillis(Long value) {
        failurePauseMillis = value;
    }

    public Long getFailurePauseMaxMillis() {
        return failurePauseMaxMillis;
    }

    public void setFailurePauseMaxMillis(Long value) {
        failurePauseMaxMillis = value;
    }

    // ---- names of other providers
    // ------------------------------------------------------------------------------------

    @Override
    void maxSessions(Integer sessions) {
        setMaxSessions(sessions);
    }

    @Override
    void minSessions(Integer sessions) {
        setMinSessions(Math.max(1, sessions));
    }

    @Override
    void ahead(Integer messages) {
        setPrefetch(messages);
    }

    @Override
    void idle(Long millis) {
        setSessionIdleMillis(millis);
    }

    @Override
    void user(String user) {
        setUserName(user);
    }

    @Override
    void client(String id) {
        setClientId(id);
    }

    @Override
    void shared(Boolean shared) {
        setSharedSubscription(shared);
    }

    @Override
    void url(String url) {
        setServerUrl(url);
    }

    /** With others a negative number means no limit. */
    @Override
    void connectAttempts(Integer attempts) {
        setConnectAttempts(Math.max(0, attempts));
    }

    @Override
    void connectDelay(Long millis) {
        setConnectDelayMillis(millis);
        setConnectDelayMaxMillis(Math.max(millis, connectDelayMaxMillis));
    }

    /** With others a negative number means never. */
    @Override
    void failuresMax(Integer failures) {
        setSequentialFailuresMax(Math.max(0, failures));
    }

    /** With others a negative number means no limit. */
    @Override
    void redeliveriesMax(Integer redeliveries) {
        setDeliveriesMax(redeliveries < 0 ? 0 : redeliveries + 1);
    }

    @Override
    void redeliveryDelay(Long millis) {
        setRedeliveryDelayMillis(millis);
    }

    @Override
    void redeliveryMultiplier(Integer multiplier) {
        setRedeliveryMultiplier(multiplier);
    }

    @Override
    void redeliveryGrows(Boolean grows) {
        redeliveryGrows = grows;
    }

    @Override
    boolean isRedeliveryGrowing() {
        return redeliveryGrows && redeliveryMultiplier > 1;
    }

    @Override
    void lookedUp(Boolean jndi) {
        useJndi = jndi;
    }

    @Override
    boolean isLookedUpByName() {
        return useJndi;
    }

    @Override
    public String toString() {
        return "DuramenActivationSpec[" + (isSaid(destinationLookup) ? destinationLookup : destination) + "]";
    }
}
