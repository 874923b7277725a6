package io.duramen.ra.inbound;

/**
 * One thread. The names that activation properties have with other providers, so that beans that come from there find
 * theirs. Each sets the property that it stands for, and has none of its own. Public, since servers call what a class
 * declares.
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

    abstract void lookedUp(Boolean jndi);

    // ---- Artemis ---------------------------------------------------------------------------------------------------

    public final void setMaxSession(Integer sessions) {
        maxSessions(sessions);
    }

    public final void setUser(String user) {
        user(user);
    }

    public final void setClientID(String id) {
        client(id);
    }

    public final void setShareSubscriptions(Boolean shared) {
        shared(shared);
    }

    public final void setSetupAttempts(Integer attempts) {
        connectAttempts(attempts);
    }

    public final void setSetupInterval(Long millis) {
        connectDelay(millis);
    }

    /** With IBM MQ, too. */
    public final void setUseJNDI(Boolean jndi) {
        lookedUp(jndi);
    }

    // ---- ActiveMQ --------------------------------------------------------------------------------------------------

    public final void setUseJndi(Boolean jndi) {
        lookedUp(jndi);
    }

    // ---- OpenMQ ----------------------------------------------------------------------------------------------------

    public final void setAddressList(String url) {
        url(url);
    }

    public final void setEndpointPoolMaxSize(Integer sessions) {
        maxSessions(sessions);
    }

    public final void setReconnectAttempts(Integer attempts) {
        connectAttempts(attempts);
    }

    public final void setReconnectInterval(Long millis) {
        connectDelay(millis);
    }

    // ---- IBM MQ, Liberty -------------------------------------------------------------------------------------------

    public final void setMaxPoolDepth(Integer sessions) {
        maxSessions(sessions);
    }

    public final void setMaxConcurrency(Integer sessions) {
        maxSessions(sessions);
    }

    public final void setMaxSequentialDeliveryFailures(Integer failures) {
        failuresMax(failures);
    }
}
