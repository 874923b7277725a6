package io.duramen.acceptance.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A copy of a directory, of a node that does not run, which can be put back in its place. Used by one thread. */
public final class DirectoryCopy {
    private final Path directory;
    private final Path copy;

    private DirectoryCopy(Path directory, Path copy) {
        this.directory = directory;
        this.copy = copy;
    }

    /** @param copy that is not there yet */
    public static DirectoryCopy of(Path directory, Path copy) throws IOException {
        copyAll(directory, copy);
        return new DirectoryCopy(directory, copy);
    }

    /** What stands in the directory is gone then. */
    public void putBack() throws IOException {
        LeftBehind.deleteAll(directory);
        copyAll(copy, directory);
    }

    /** Deletes it, so that the node begins with nothing. */
    public void deleteOriginal() throws IOException {
        LeftBehind.deleteAll(directory);
    }

    private static void copyAll(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(from)) {
            all = found.toList();
        }
        for (Path path : all) {
            Files.copy(path, to.resolve(from.relativize(path).toString()));
        }
    }
}
