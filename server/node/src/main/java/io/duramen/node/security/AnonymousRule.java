package io.duramen.node.security;

import io.duramen.runtime.settings.SettingsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Who may be reached by strangers does not let them in unasked. */
public final class AnonymousRule {
    private AnonymousRule() {}

    /** @throws SettingsException where a node would let anyone in who can reach it, and nobody said that it should */
    public static void check(String host, SecurityConfig config) {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new SettingsException(List.of("network.host=" + host + ": no such address"));
        }
        if (config.anonymous() && !config.anonymousBeyondLoopback() && !address.isLoopbackAddress()) {
            throw new SettingsException(List.of("network.host=" + host
                    + " can be reached from other machines, and security.anonymous=true lets anyone in. Set"
                    + " security.anonymous=false (and log in with a user), or, where the network is trusted,"
                    + " security.anonymous-beyond-loopback=true"));
        }
    }
}
