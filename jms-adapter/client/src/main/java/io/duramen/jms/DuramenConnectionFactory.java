package io.duramen.jms;

import io.duramen.jms.link.JmsErrors;
import io.duramen.jms.session.ConnectionSettings;
import io.duramen.jms.session.DuramenConnection;
import io.duramen.jms.session.DuramenContext;
import io.duramen.jms.session.DuramenQueueConnection;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;

/**
 * Any thread, once configured. Makes connections to a Duramen node: {@code duramen://host:port,host:port?option=value}
 * over TCP, the first that answers, or {@code duramen+local://name} to a node in this JVM. The options are those of
 * {@link ClientOption}, in the URL or as bean properties.
 */
public class DuramenConnectionFactory
        implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {
    private static final long serialVersionUID = 1L;

    /** Address in a JNDI reference that holds the URL with its options. */
    static final String REFERENCE_URL = "url";

    private final ClientOptions options;

    /** To a node on this machine, at the default port. */
    public DuramenConnectionFactory() {
        this(ClientOptions.DEFAULT_URL);
    }

    /** @throws IllegalArgumentException for a URL that is none; the message names the option that is unknown or wrong */
    public DuramenConnectionFactory(String url) {
        options = new ClientOptions(url);
    }

    // ---- connections -----------------------------------------------------------------------------------------------

    final ConnectionSettings settings(String user, String password) {
        return options.settings(user, password);
    }

    private DuramenConnection open(String user, String password) throws JMSException {
        return DuramenConnection.open(settings(user, password));
    }

    @Override
    public Connection createConnection() throws JMSException {
        return open(getUser(), getPassword());
    }

    @Override
    public Connection createConnection(String user, String password) throws JMSException {
        return open(user, password);
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return createQueueConnection(getUser(), getPassword());
    }

    @Override
    public QueueConnection createQueueConnection(String user, String password) throws JMSException {
        return new DuramenQueueConnection(settings(user, password));
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return open(getUser(), getPassword());
    }

    @Override
    public TopicConnection createTopicConnection(String user, String password) throws JMSException {
        return open(user, password);
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return createContext(getUser(), getPassword(), sessionMode);
    }

    @Override
    public JMSContext createContext(String user, String password) {
        return createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String user, String password, int sessionMode) {
        DuramenContext.checkMode(sessionMode);
        try {
            return DuramenContext.over(open(user, password), sessionMode);
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    @Override
    public Reference getReference() {
        Reference reference = new Reference(getClass().getName(), DuramenObjectFactory.class.getName(), null);
        reference.add(new StringRefAddr(REFERENCE_URL, options.url(true)));
        return reference;
    }

    /** Addresses and options, without the password. */
    @Override
    public String toString() {
        return "DuramenConnectionFactory[" + options.url(false) + "]";
    }

    // ---- options as bean properties --------------------------------------------------------------------------------

    /** Addresses and options, without the password. */
    public String getUrl() {
        return options.url(false);
    }

    /** Takes the addresses, and the options that stand in the URL; others stay as they are. */
    public void setUrl(String url) {
        options.url(url);
    }

    public String getUser() {
        return options.get(ClientOption.USER);
    }

    public void setUser(String value) {
        options.set(ClientOption.USER, value);
    }

    public String getPassword() {
        return options.get(ClientOption.PASSWORD);
    }

    public void setPassword(String value) {
        options.set(ClientOption.PASSWORD, value);
    }

    public String getClientId() {
        return options.get(ClientOption.CLIENT_ID);
    }

    public void setClientId(String value) {
        options.set(ClientOption.CLIENT_ID, value);
    }

    public int getPrefetch() {
        return options.get(ClientOption.PREFETCH);
    }

    public void setPrefetch(int value) {
        options.set(ClientOption.PREFETCH, value);
    }

    public int getPrefetchBytes() {
        return options.get(ClientOption.PREFETCH_BYTES);
    }

    public void setPrefetchBytes(int value) {
        options.set(ClientOption.PREFETCH_BYTES, value);
    }

    public int getPrefetchMillis() {
        return options.get(ClientOption.PREFETCH_MILLIS);
    }

    public void setPrefetchMillis(int value) {
        options.set(ClientOption.PREFETCH_MILLIS, value);
    }

    public int getRedeliveryDelayMillis() {
        return options.get(ClientOption.REDELIVERY_DELAY_MILLIS);
    }

    public void setRedeliveryDelayMillis(int value) {
        options.set(ClientOption.REDELIVERY_DELAY_MILLIS, value);
    }

    public int getRedeliveryMultiplier() {
        return options.get(ClientOption.REDELIVERY_MULTIPLIER);
    }

    public void setRedeliveryMultiplier(int value) {
        options.set(ClientOption.REDELIVERY_MULTIPLIER, value);
    }

    public int getRedeliveryDelayMaxMillis() {
        return options.get(ClientOption.REDELIVERY_DELAY_MAX_MILLIS);
    }

    public void setRedeliveryDelayMaxMillis(int value) {
        options.set(ClientOption.REDELIVERY_DELAY_MAX_MILLIS, value);
    }

    public boolean isReconnect() {
        return options.get(ClientOption.RECONNECT);
    }

    public void setReconnect(boolean value) {
        options.set(ClientOption.RECONNECT, value);
    }

    public int getReconnectDelayMillis() {
        return options.get(ClientOption.RECONNECT_DELAY_MILLIS);
    }

    public void setReconnectDelayMillis(int value) {
        options.set(ClientOption.RECONNECT_DELAY_MILLIS, value);
    }

    public int getReconnectDelayMaxMillis() {
        return options.get(ClientOption.RECONNECT_DELAY_MAX_MILLIS);
    }

    public void setReconnectDelayMaxMillis(int value) {
        options.set(ClientOption.RECONNECT_DELAY_MAX_MILLIS, value);
    }

    public int getReconnectAttemptsMax() {
        return options.get(ClientOption.RECONNECT_ATTEMPTS_MAX);
    }

    public void setReconnectAttemptsMax(int value) {
        options.set(ClientOption.RECONNECT_ATTEMPTS_MAX, value);
    }

    public int getReconnectTimeMaxMillis() {
        return options.get(ClientOption.RECONNECT_TIME_MAX_MILLIS);
    }

    public void setReconnectTimeMaxMillis(int value) {
        options.set(ClientOption.RECONNECT_TIME_MAX_MILLIS, value);
    }

    public int getConnectTimeoutMillis() {
        return options.get(ClientOption.CONNECT_TIMEOUT_MILLIS);
    }

    public void setConnectTimeoutMillis(int value) {
        options.set(ClientOption.CONNECT_TIMEOUT_MILLIS, value);
    }

    public int getRequestTimeoutMillis() {
        return options.get(ClientOption.REQUEST_TIMEOUT_MILLIS);
    }

    public void setRequestTimeoutMillis(int value) {
        options.set(ClientOption.REQUEST_TIMEOUT_MILLIS, value);
    }

    public int getHeartbeatMillis() {
        return options.get(ClientOption.HEARTBEAT_MILLIS);
    }

    public void setHeartbeatMillis(int value) {
        options.set(ClientOption.HEARTBEAT_MILLIS, value);
    }

    public int getBatchBytes() {
        return options.get(ClientOption.BATCH_BYTES);
    }

    public void setBatchBytes(int value) {
        options.set(ClientOption.BATCH_BYTES, value);
    }

    public int getSendWindowBytes() {
        return options.get(ClientOption.SEND_WINDOW_BYTES);
    }

    public void setSendWindowBytes(int value) {
        options.set(ClientOption.SEND_WINDOW_BYTES, value);
    }

    public String getPersistentAcks() {
        return options.get(ClientOption.PERSISTENT_ACKS);
    }

    public void setPersistentAcks(String value) {
        options.set(ClientOption.PERSISTENT_ACKS, value);
    }

    public String getNonPersistentAcks() {
        return options.get(ClientOption.NON_PERSISTENT_ACKS);
    }

    public void setNonPersistentAcks(String value) {
        options.set(ClientOption.NON_PERSISTENT_ACKS, value);
    }

    public int getReplicas() {
        return options.get(ClientOption.REPLICAS);
    }

    public void setReplicas(int value) {
        options.set(ClientOption.REPLICAS, value);
    }

    public int getLargeBodyBytes() {
        return options.get(ClientOption.LARGE_BODY_BYTES);
    }

    public void setLargeBodyBytes(int value) {
        options.set(ClientOption.LARGE_BODY_BYTES, value);
    }

    public String getAllowedClasses() {
        return options.get(ClientOption.ALLOWED_CLASSES);
    }

    public void setAllowedClasses(String value) {
        options.set(ClientOption.ALLOWED_CLASSES, value);
    }

    public boolean isUserId() {
        return options.get(ClientOption.USER_ID);
    }

    public void setUserId(boolean value) {
        options.set(ClientOption.USER_ID, value);
    }

    public int getXaCallTimeoutMillis() {
        return options.get(ClientOption.XA_CALL_TIMEOUT_MILLIS);
    }

    public void setXaCallTimeoutMillis(int value) {
        options.set(ClientOption.XA_CALL_TIMEOUT_MILLIS, value);
    }
}
