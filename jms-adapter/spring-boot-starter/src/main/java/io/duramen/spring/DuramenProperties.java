package io.duramen.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Not thread-safe. What an application says under {@code duramen.} of its server. */
@ConfigurationProperties("duramen")
public class DuramenProperties {
    /** Nodes, and options as in any connection URL: duramen://host:port,host:port?option=value. */
    private String url = "duramen://localhost:7676";

    /** User that logs in; empty for anonymous, or where the URL says it. */
    private String user = "";

    /** Its password. */
    private String password = "";

    /** Options by the name that they have in a connection URL; they come before those in the URL. */
    private Map<String, String> options = new LinkedHashMap<>();

    private final Cache cache = new Cache();

    public String getUrl() {
        return url;
    }

    public void setUrl(String url) {
        this.url = url;
    }

    public String getUser() {
        return user;
    }

    public void setUser(String user) {
        this.user = user;
    }

    public String getPassword() {
        return password;
    }

    public void setPassword(String password) {
        this.password = password;
    }

    public Map<String, String> getOptions() {
        return options;
    }

    public void setOptions(Map<String, String> options) {
        this.options = options;
    }

    public Cache getCache() {
        return cache;
    }

    /** Not thread-safe. What is kept of a shared connection. */
    public static class Cache {
        /** Whether all uses share a connection, whose sessions are kept. */
        private boolean enabled = true;

        /** Most sessions kept of each acknowledge mode. */
        private int sessions = 8;

        /** Whether message consumers are kept with their sessions. */
        private boolean consumers;

        /** Whether message producers are kept with their sessions. */
        private boolean producers = true;

        public boolean isEnabled() {
            return enabled;
        }

        public void setEnabled(boolean enabled) {
            this.enabled = enabled;
        }

        public int getSessions() {
            return sessions;
        }

        public void setSessions(int sessions) {
            this.sessions = sessions;
        }

        public boolean isConsumers() {
            return consumers;
        }

        public void setConsumers(boolean consumers) {
            this.consumers = consumers;
        }

        public boolean isProducers() {
            return producers;
        }

        public void setProducers(boolean producers) {
            this.producers = producers;
        }
    }
}
