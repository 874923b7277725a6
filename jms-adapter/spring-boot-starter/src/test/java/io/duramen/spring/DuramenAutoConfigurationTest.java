package io.duramen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.jms.DuramenConnectionFactory;
import io.duramen.node.Duramen;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;

/** What an application gets by having the starter on its class path. */
class DuramenAutoConfigurationTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(JmsAutoConfiguration.class, DuramenAutoConfiguration.class));

    @TempDir
    Path data;

    @Test
    void shouldMakeACachingFactoryAndATemplateWhenNothingIsSaid() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(ConnectionFactory.class);
            CachingConnectionFactory cached = context.getBean(CachingConnectionFactory.class);
            assertThat(cached.getSessionCacheSize()).isEqualTo(8);
            assertThat(cached.isCacheConsumers()).isFalse();
            assertThat(cached.getTargetConnectionFactory())
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.type(DuramenConnectionFactory.class))
                    .satisfies(factory -> assertThat(factory.getUrl()).startsWith("duramen://localhost:7676"));
            assertThat(context.getBean(JmsTemplate.class).getConnectionFactory())
                    .isSameAs(cached);
        });
    }

    @Test
    void shouldTakeUrlUserAndOptionsFromTheProperties() {
        runner.withPropertyValues(
                        "duramen.url=duramen://a:1,b:2?prefetch=5&batchBytes=1000",
                        "duramen.user=me",
                        "duramen.password=s&cret",
                        "duramen.options.prefetch=7",
                        "duramen.options.clientId=the client",
                        "duramen.cache.enabled=false")
                .run(context -> {
                    DuramenConnectionFactory factory = context.getBean(DuramenConnectionFactory.class);
                    assertThat(factory.getUrl()).startsWith("duramen://a:1,b:2");
                    assertThat(factory.getUser()).isEqualTo("me");
                    assertThat(factory.getPassword()).isEqualTo("s&cret");
                    assertThat(factory.getPrefetch()).isEqualTo(7);
                    assertThat(factory.getBatchBytes()).isEqualTo(1000);
                    assertThat(factory.getClientId()).isEqualTo("the client");
                });
    }

    @Test
    void shouldStandBackWhenTheApplicationHasAFactoryOfItsOwn() {
        ConnectionFactory own = new DuramenConnectionFactory("duramen://own");
        runner.withBean("own", ConnectionFactory.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(ConnectionFactory.class);
            assertThat(context.getBean(JmsTemplate.class).getConnectionFactory())
                    .isSameAs(own);
        });
    }

    @Test
    void shouldFailNamingTheOptionWhenItIsUnknown() {
        runner.withPropertyValues("duramen.options.prefetsch=7")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("prefetsch"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Bean
        BlockingQueue<String> heard() {
            return heard;
        }

        @JmsListener(destination = "orders", concurrency = "2")
        void onOrder(String order) {
            heard.add(order);
        }
    }

    @Test
    void shouldSendAndHearWhenANodeIsThere() throws Exception {
        try (Duramen node = Duramen.embedded().dataDirectory(data).start()) {
            runner.withUserConfiguration(Application.class)
                    .withPropertyValues("duramen.url=" + node.url())
                    .run(context -> {
                        context.getBean(JmsTemplate.class).convertAndSend("orders", "the first");
                        BlockingQueue<?> heard = context.getBean("heard", BlockingQueue.class);
                        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("the first");
                    });
        }
    }
}
