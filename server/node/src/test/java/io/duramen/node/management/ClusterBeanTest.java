package io.duramen.node.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.management.ClusterNodeRow;
import io.duramen.node.shard.Replicas;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an operator sees of a cluster's nodes. */
class ClusterBeanTest {
    private static ClusterBean bean(boolean leads, String beginsAnew) {
        List<Replicas.Member> nodes = Stream.of("n1", "n2", "n3")
                .map(name -> new Replicas.Member(
                        name,
                        name + ":1",
                        Optional.empty(),
                        true,
                        true,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty()))
                .toList();
        Replicas.Standing standing = new Replicas.Standing(
                "some",
                leads,
                Optional.of("n1"),
                1,
                1,
                false,
                2,
                nodes,
                "",
                List.of(),
                new Replicas.Format(1, 1),
                Optional.of(beginsAnew));
        Replicas replicas = (Replicas) Proxy.newProxyInstance(
                Replicas.class.getClassLoader(),
                new Class<?>[] {Replicas.class},
                (proxy, method, arguments) -> standing);
        return new ClusterBean(replicas, new ShardQuestions(List.of(), Duration.ZERO), new Audit("test"));
    }

    @Test
    void shouldShowWhoBeginsAnewWhenTheLeaderLetItLeave() {
        ClusterBean bean = bean(true, "n3");
        assertThat(bean.getRole()).isEqualTo("LEADING");
        assertThat(bean.list())
                .extracting(ClusterNodeRow::getRole)
                .containsExactly("LEADING", "FOLLOWING", "BEGINS_ANEW");
    }

    @Test
    void shouldSayThatItBeginsAnewWhenItDoes() {
        assertThat(bean(false, "n2").getRole()).isEqualTo("BEGINS_ANEW");
    }
}
