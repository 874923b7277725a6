package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A text file in the repository that is printed from the code. It may only grow: with {@code -Dgolden.write=true} it is
 * written anew, but only where every line of the old one still stands in the new one, in the same order.
 */
final class CommittedLines {
    private CommittedLines() {}

    static void assertUnchanged(Path file, List<String> printed) throws IOException {
        List<String> committed = Files.exists(file) ? Files.readAllLines(file) : List.of();
        if (!committed.isEmpty()) {
            assertThat(printed)
                    .as("%s: a line that was released has changed or is gone; add to the protocol, never edit it", file)
                    .containsSubsequence(committed);
        }
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(file.getParent());
            Files.write(file, printed);
        } else {
            assertThat(committed)
                    .as("%s lacks lines: run this test with -Dgolden.write=true and commit the file", file)
                    .isEqualTo(printed);
        }
    }
}
