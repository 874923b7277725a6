package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The committed reference and sample file say what the declarations say. After a change of a declaration:
 * {@code mvn -pl server/node -am test -Dtest=SettingsReferenceTest -Dduramen.regenerate=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class SettingsReferenceTest {
    private static final Path DEPLOY = Path.of("..", "..", "deploy");

    @Test
    void shouldCommitTheReferenceThatTheDeclarationsPrint() throws Exception {
        compare(DEPLOY.resolve("docs/settings.md"), NodeSettings.catalog().reference());
    }

    @Test
    void shouldCommitTheSampleFileThatTheDeclarationsPrint() throws Exception {
        compare(
                DEPLOY.resolve("dist/src/main/conf/node.properties"),
                NodeSettings.catalog().sampleFile());
    }

    private static void compare(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("duramen.regenerate")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        assertThat(file).content().isEqualTo(expected);
    }
}
