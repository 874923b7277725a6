package io.duramen.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of the manual show what the tests run with. */
class ManualTest {
    @ParameterizedTest
    @CsvSource({
        "wildfly.md, ../../ra/src/main/rar/META-INF/ironjacamar.xml",
        "wildfly.md, src/test/resources/jboss-ejb3.xml",
        "wildfly.md, src/test/resources/ear-jboss-ejb3.xml",
        "wildfly.md, src/test/resources/wildfly-subsystem.cli",
        "open-liberty.md, src/test/resources/liberty-server.xml",
        "open-liberty.md, src/test/resources/liberty-recovery-server.xml",
        "glassfish.md, src/test/resources/glassfish.asadmin",
        "glassfish.md, src/test/resources/glassfish-ejb-jar.xml",
        "payara.md, src/test/resources/glassfish.asadmin",
        "payara.md, src/test/resources/glassfish-ejb-jar.xml",
        "payara.md, src/test/resources/payara-web.xml"
    })
    void shouldShowTheFilesThatTheTestsUse(String page, String file) throws IOException {
        assertThat(Files.readString(Path.of("../docs", page)))
                .contains(Files.readString(Path.of(file)).strip());
    }
}
