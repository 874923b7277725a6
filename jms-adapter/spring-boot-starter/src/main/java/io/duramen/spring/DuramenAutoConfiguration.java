package io.duramen.spring;

import io.duramen.jms.DuramenConnectionFactory;
import jakarta.jms.ConnectionFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.connection.CachingConnectionFactory;

/**
 * Makes the application's connection factory, unless it has one of its own, before Spring Boot makes a JmsTemplate and
 * listener containers of it. Named after both generations of Boot, whose configuration of JMS moved between them.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.autoconfigure.jms.JmsAutoConfiguration"
        })
@ConditionalOnClass({ConnectionFactory.class, DuramenConnectionFactory.class})
@ConditionalOnMissingBean(ConnectionFactory.class)
@EnableConfigurationProperties(DuramenProperties.class)
public class DuramenAutoConfiguration {
    private static DuramenConnectionFactory factory(DuramenProperties properties) {
        DuramenConnectionFactory factory = new DuramenConnectionFactory(url(properties));
        if (!properties.getUser().isEmpty()) {
            factory.setUser(properties.getUser());
            factory.setPassword(properties.getPassword());
        }
        return factory;
    }

    private static String url(DuramenProperties properties) {
        Map<String, String> options = properties.getOptions();
        if (options.isEmpty()) {
            return properties.getUrl();
        }
        String more = options.entrySet().stream()
                .map(option -> option.getKey() + "=" + URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return properties.getUrl() + (properties.getUrl().indexOf('?') < 0 ? "?" : "&") + more;
    }

    /** A connection for each use. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "duramen.cache.enabled", havingValue = "false")
    static class Plain {
        @Bean
        DuramenConnectionFactory jmsConnectionFactory(DuramenProperties properties) {
            return factory(properties);
        }
    }

    /** One connection for all uses, whose sessions and producers are kept: templates are slow without. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(CachingConnectionFactory.class)
    @ConditionalOnProperty(name = "duramen.cache.enabled", havingValue = "true", matchIfMissing = true)
    static class Cached {
        @Bean
        CachingConnectionFactory jmsConnectionFactory(DuramenProperties properties) {
            CachingConnectionFactory cached = new CachingConnectionFactory(factory(properties));
            cached.setSessionCacheSize(properties.getCache().getSessions());
            cached.setCacheConsumers(properties.getCache().isConsumers());
            cached.setCacheProducers(properties.getCache().isProducers());
            return cached;
        }
    }
}
