package io.duramen.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.node.Duramen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example as a reader would run it, but for the node in the same JVM. */
class OrdersApplicationTest {
    @TempDir
    Path data;

    @Test
    @Timeout(120)
    void shouldPrintAReceiptForEachOrder() throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (Duramen node = Duramen.embedded().dataDirectory(data).start()) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            OrdersApplication.main(new String[] {"--duramen.url=" + node.url()});
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("receipt")))
                .containsExactly("receipt for order 1", "receipt for order 2", "receipt for order 3");
    }
}
