package io.duramen.jms.session;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** Any thread. What this provider is. */
final class DuramenMetaData implements ConnectionMetaData {
    static final DuramenMetaData INSTANCE = new DuramenMetaData();

    private static final int JMS_MAJOR = 3;
    private static final int JMS_MINOR = 1;
    private static final int MAJOR = 0;
    private static final int MINOR = 1;
    private static final List<String> JMSX_PROPERTIES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount", "JMSXRcvTimestamp", "JMSXUserID");

    private DuramenMetaData() {}

    @Override
    public String getJMSVersion() {
        return JMS_MAJOR + "." + JMS_MINOR;
    }

    @Override
    public int getJMSMajorVersion() {
        return JMS_MAJOR;
    }

    @Override
    public int getJMSMinorVersion() {
        return JMS_MINOR;
    }

    @Override
    public String getJMSProviderName() {
        return "Duramen";
    }

    @Override
    public String getProviderVersion() {
        String packaged = DuramenMetaData.class.getPackage().getImplementationVersion();
        return packaged != null ? packaged : MAJOR + "." + MINOR;
    }

    @Override
    public int getProviderMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getProviderMinorVersion() {
        return MINOR;
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX_PROPERTIES);
    }
}
