package io.duramen.ra.outbound;

import io.duramen.ra.address.NodeLogin;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import jakarta.resource.spi.ManagedConnectionMetaData;

/** Any thread: immutable. What the server asks about a pooled connection. */
record ProductMetaData(String product, String version, String user) implements ManagedConnectionMetaData {
    static ProductMetaData of(ConnectionMetaData connection, NodeLogin login) throws JMSException {
        return new ProductMetaData(
                connection.getJMSProviderName(),
                connection.getProviderVersion(),
                login.user() == null ? "" : login.user());
    }

    @Override
    public String getEISProductName() {
        return product;
    }

    @Override
    public String getEISProductVersion() {
        return version;
    }

    /** No limit. */
    @Override
    public int getMaxConnections() {
        return 0;
    }

    @Override
    public String getUserName() {
        return user;
    }
}
