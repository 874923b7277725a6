package io.duramen.node;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects that exist before the container does, as beans of it. Not thread-safe. */
class GivenBeans implements Extension {
    private final Map<Class<?>, Object> beans = new LinkedHashMap<>();

    <T> GivenBeans with(Class<T> type, T bean) {
        beans.put(type, bean);
        return this;
    }

    void add(@Observes AfterBeanDiscovery discovery) {
        beans.forEach((type, bean) -> discovery
                .addBean()
                .types(type, Object.class)
                .scope(Singleton.class)
                .createWith(context -> bean));
    }
}
