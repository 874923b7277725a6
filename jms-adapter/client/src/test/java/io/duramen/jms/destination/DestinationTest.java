package io.duramen.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.frame.DestinationKind;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import javax.naming.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DestinationTest {
    @ParameterizedTest
    @EnumSource(DestinationKind.class)
    void shouldBeEqualByKindAndNameAfterSerialization(DestinationKind kind) throws Exception {
        DuramenDestination destination = DuramenDestination.of(kind, "n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(destination);
        }
        Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

        assertThat(read).isEqualTo(destination).hasSameHashCodeAs(destination).hasToString("n");
        assertThat(destination).isNotEqualTo(DuramenDestination.of(kind, "m"));
        for (DestinationKind other : DestinationKind.values()) {
            assertThat(destination.equals(DuramenDestination.of(other, "n"))).isEqualTo(kind == other);
        }
    }

    @Test
    void shouldBeABeanWithAReference() throws Exception {
        DuramenQueue queue = new DuramenQueue();
        queue.setName("orders");
        Reference reference = queue.getReference();

        assertThat(queue.getQueueName()).isEqualTo("orders");
        assertThat(reference.getFactoryClassName()).isEqualTo("io.duramen.jms.DuramenObjectFactory");
        assertThat(reference.get(DuramenDestination.REFERENCE_KIND).getContent())
                .isEqualTo("QUEUE");
        assertThat(reference.get(DuramenDestination.REFERENCE_NAME).getContent())
                .isEqualTo("orders");
    }

    @Test
    void shouldRefuseEmptyName() {
        assertThatThrownBy(() -> new DuramenQueue("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DuramenTopic(null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldDeleteTemporaryOnlyThroughItsConnection() throws JMSException {
        List<DuramenDestination> deleted = new ArrayList<>();
        DuramenTemporaryQueue queue = new DuramenTemporaryQueue("t", deleted::add);
        queue.delete();
        assertThat(deleted).containsExactly(queue);
        assertThatThrownBy(new DuramenTemporaryQueue("t")::delete).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(new DuramenTemporaryTopic("t")::delete).isInstanceOf(IllegalStateException.class);
    }
}
