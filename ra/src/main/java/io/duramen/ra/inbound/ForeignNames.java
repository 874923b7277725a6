package io.duramen.ra.inbound;

/**
 * One thread. The names that activation properties have with other providers, so that beans that come from there find
 * theirs. Each stands for another property, and has no value of its own. Public, since servers call what a class
 * declares; with getters, since some ask these for a property's type.
 */
public abstract class ForeignNames {
    ForeignNames() {}

    abstract void maxSessions(Integer sessions);

    abstract void user(String user);

    abstract void client(String id);

    abstract void shared(Boolean shared);

    abstract void url(String url);

    abstract void connectAttempts(Integer attempts);

    abstract void connectDelay(Long millis);

    abstract void failuresMax(Integer failures);

    abstract void redeliveriesMax(Integer redeliveries);

    abstract void lookedUp(Boolean jndi);

    abstract boolean isLookedUpByName();

    // ---- what they stand for ---------------------------------------------------------------------------------------

    public abstract Integer getMaxSessions();

    public abstract String getUserName();

    public abstract String getClientId();

    public abstract Boolean getSharedSubscription();

    public abstract String getServerUrl();

    public abstract Integer getConnectAttempts();

    public abstract Long getConnectDelayMillis();

    public abstract Integer getSequentialFailuresMax();

    public abstract Integer getDeliveriesMax();

    // ---- Artemis ---------------------------------------------------------------------------------------------------

    public final void setMaxSession(Integer sessions) {
        maxSessions(sessions);
    }

    public final Integer getMaxSession() {
        return getMaxSessions();
    }

    public final void setUser(String user) {
        user(user);
    }

    public final String getUser() {
        return getUserName();
    }

    public final void setClientID(String id) {
        client(id);
    }

    public final String getClientID() {
        return getClientId();
    }

    public final void setShareSubscriptions(Boolean shared) {
        shared(shared);
    }

    public final Boolean getShareSubscriptions() {
        return getSharedSubscription();
    }

    public final void setSetupAttempts(Integer attempts) {
        connectAttempts(attempts);
    }

    public final Integer getSetupAttempts() {
        return getConnectAttempts();
    }

    public final void setSetupInterval(Long millis) {
        connectDelay(millis);
    }

    public final Long getSetupInterval() {
        return getConnectDelayMillis();
    }

    /** With IBM MQ, too. */
    public final void setUseJNDI(Boolean jndi) {
        lookedUp(jndi);
    }

    public final Boolean getUseJNDI() {
        return isLookedUpByName();
    }

    // ---- ActiveMQ --------------------------------------------------------------------------------------------------

    public final void setUseJndi(Boolean jndi) {
        lookedUp(jndi);
    }

    public final Boolean getUseJndi() {
        return isLookedUpByName();
    }

    public final void setMaximumRedeliveries(Integer redeliveries) {
        redeliveriesMax(redeliveries);
    }

    public final Integer getMaximumRedeliveries() {
        return getDeliveriesMax() - 1;
    }

    // ---- OpenMQ ----------------------------------------------------------------------------------------------------

    public final void setAddressList(String url) {
        url(url);
    }

    public final String getAddressList() {
        return getServerUrl();
    }

    public final void setEndpointPoolMaxSize(Integer sessions) {
        maxSessions(sessions);
    }

    public final Integer getEndpointPoolMaxSize() {
        return getMaxSessions();
    }

    public final void setEndpointExceptionRedeliveryAttempts(Integer redeliveries) {
        redeliveriesMax(redeliveries);
    }

    public final Integer getEndpointExceptionRedeliveryAttempts() {
        return getDeliveriesMax() - 1;
    }

    public final void setReconnectAttempts(Integer attempts) {
        connectAttempts(attempts);
    }

    public final Integer getReconnectAttempts() {
        return getConnectAttempts();
    }

    public final void setReconnectInterval(Long millis) {
        connectDelay(millis);
    }

    public final Long getReconnectInterval() {
        return getConnectDelayMillis();
    }

    // ---- IBM MQ, Liberty -------------------------------------------------------------------------------------------

    public final void setMaxPoolDepth(Integer sessions) {
        maxSessions(sessions);
    }

    public final Integer getMaxPoolDepth() {
        return getMaxSessions();
    }

    public final void setMaxConcurrency(Integer sessions) {
        maxSessions(sessions);
    }

    public final Integer getMaxConcurrency() {
        return getMaxSessions();
    }

    public final void setMaxSequentialDeliveryFailures(Integer failures) {
        failuresMax(failures);
    }

    public final Integer getMaxSequentialDeliveryFailures() {
        return getSequentialFailuresMax();
    }
}
