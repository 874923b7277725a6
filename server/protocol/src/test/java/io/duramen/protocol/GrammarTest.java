package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The grammar that is written beside the frames is of all of them, and of no others. */
class GrammarTest {
    private static final Path BESIDE_THE_FRAMES =
            Path.of("src", "main", "java", "io", "duramen", "protocol", "frame", "package-info.java");

    /** What the grammar says that names no frame of its own: answers to Attach and Detach. */
    private static final Set<String> ANSWERS = Set.of("Attached", "Detached");

    @Test
    void shouldSayOfEveryFrameWhereItMayStand() throws IOException {
        String text = Files.readString(BESIDE_THE_FRAMES);
        String grammar = text.substring(text.indexOf("<pre>"), text.indexOf("</pre>"));
        Set<String> words = Arrays.stream(grammar.split("[^A-Za-z]+"))
                .filter(word -> !word.isEmpty() && Character.isUpperCase(word.charAt(0)))
                .filter(word -> !ANSWERS.contains(word))
                .collect(Collectors.toSet());
        List<String> frames =
                Arrays.stream(Api.values()).map(GrammarTest::nameOf).toList();
        assertThat(words).containsExactlyInAnyOrderElementsOf(frames);
    }

    private static String nameOf(Api api) {
        return Arrays.stream(api.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
    }
}
