package io.duramen.ra.inbound;

/**
 * One thread. The names that activation properties have with other providers, so that beans that come from there find
 * theirs. Each stands for another property, and has no value of its own. Public, since servers call what a class
 * declares; with getters, since some ask these for a property's type.
 */
public abstract class ForeignNames {
    ForeignNames() {}

    abstract void maxSessions(Integer sessions);

    abstract void minSessions(Integer sessions);

    abstract void ahead(Integer messages);

    abstract void idle(Long millis);

    abstract void user(String user);

    abstract void client(String id);

    abstract void shared(Boolean shared);

    abstract void url(String url);

    abstract void connectAttempts(Integer attempts);

    abstract void connectDelay(Long millis);

    abstract void failuresMax(Integer failures);

    abstract void redeliveriesMax(Integer redeliveries);

    abstract void redeliveryDelay(Long millis);

    abstract void redeliveryMultiplier(Integer multiplier);

    abstract void redeliveryGrows(Boolean grows);

    abstract boolean isRedeliveryGrowing();

    abstract void lookedUp(Boolean jndi);

    abstract boolean isLookedUpByName();

    // ---- what they stand for ---------------------------------------------------------------------------------------

    public abstract Integer getMaxSessions();

    public abstract Integer getMinSessions();

    public abstract Integer getPrefetch();

    public abstract Long getSessionIdleMillis();

    public abstract String getUserName();

    public abstract String getClientId();

    public abstract Boolean getSharedSubscription();

    public abstract String getServerUrl();

    public abstract Integer getConnectAttempts();

    public abstract Long getConnectDelayMillis();

    public abstract Integer getSequentialFailuresMax();

    public abstract Integer getDeliveriesMax();

    public abstract Long getRedeliveryDelayMillis();

    public abstract Integer getRedeliveryMultiplier();

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

    /** In spite of its name there, too, what is fetched ahead for a session. */
    public final void setMaxMessagesPerSessions(Integer messages) {
        ahead(messages);
    }

    public final Integer getMaxMessagesPerSessions() {
        return getPrefetch();
    }

    public final void setMaximumRedeliveries(Integer redeliveries) {
        redeliveriesMax(redeliveries);
    }

    public final Integer getMaximumRedeliveries() {
        return getDeliveriesMax() - 1;
    }

    public final void setInitialRedeliveryDelay(Long millis) {
        redeliveryDelay(millis);
    }

    public final Long getInitialRedeliveryDelay() {
        return getRedeliveryDelayMillis();
    }

    /** The nearest whole number counts. */
    public final void setRedeliveryBackOffMultiplier(Double multiplier) {
        redeliveryMultiplier((int) Math.max(1, Math.round(multiplier)));
    }

    public final Double getRedeliveryBackOffMultiplier() {
        return getRedeliveryMultiplier().doubleValue();
    }

    public final void setRedeliveryUseExponentialBackOff(Boolean exponential) {
        redeliveryGrows(exponential);
    }

    public final Boolean getRedeliveryUseExponentialBackOff() {
        return isRedeliveryGrowing();
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

    public final void setEndpointPoolSteadySize(Integer sessions) {
        minSessions(sessions);
    }

    public final Integer getEndpointPoolSteadySize() {
        return getMinSessions();
    }

    public final void setEndpointExceptionRedeliveryAttempts(Integer redeliveries) {
        redeliveriesMax(redeliveries);
    }

    public final Integer getEndpointExceptionRedeliveryAttempts() {
        return getDeliveriesMax() - 1;
    }

    /** There it stays the same each time. */
    public final void setEndpointExceptionRedeliveryInterval(Integer millis) {
        redeliveryDelay(millis.longValue());
        redeliveryGrows(false);
    }

    public final Integer getEndpointExceptionRedeliveryInterval() {
        Long millis = getRedeliveryDelayMillis();
        return millis == null ? null : millis.intValue();
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

    public final void setPoolTimeout(Integer millis) {
        idle(millis.longValue());
    }

    public final Integer getPoolTimeout() {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, getSessionIdleMillis()));
    }

    public final void setMaxConcurrency(Integer sessions) {
        maxSessions(sessions);
    }

    public final Integer getMaxConcurrency() {
        return getMaxSessions();
    }

    /** How many are fetched at a time; each is a transaction of its own there, too. */
    public final void setMaxBatchSize(Integer messages) {
        ahead(messages);
    }

    public final Integer getMaxBatchSize() {
        return getPrefetch();
    }

    public final void setMaxSequentialDeliveryFailures(Integer failures) {
        failuresMax(failures);
    }

    public final Integer getMaxSequentialDeliveryFailures() {
        return getSequentialFailuresMax();
    }
}
