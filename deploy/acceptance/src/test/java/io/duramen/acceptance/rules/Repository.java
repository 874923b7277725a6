package io.duramen.acceptance.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The checked-out sources, and the classes compiled from them. Immutable. */
final class Repository {
    private static final Set<String> SKIPPED = Set.of(".git", "target", "node_modules");

    private final Path root;

    private Repository(Path root) {
        this.root = root;
    }

    /** The one around the working directory. */
    static Repository here() {
        for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.isDirectory(path.resolve(".mvn"))) {
                return new Repository(path);
            }
        }
        throw new IllegalStateException("no .mvn folder in or above the working directory");
    }

    Path root() {
        return root;
    }

    /** How a file is named in messages and in the ratchet. */
    String nameOf(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    /** Sources of production and of tests. */
    List<Path> javaFiles() {
        return files().stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
    }

    /** Every file that is not built, hidden in {@code .git}, or an archive of tools. */
    List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean skipped = SKIPPED.contains(folder.getFileName().toString());
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream().sorted().toList();
    }

    /** Folders of compiled production classes, of the modules that have been compiled. */
    List<Path> classFolders() {
        return javaFiles().stream()
                .filter(Repository::isProduction)
                .map(file -> moduleOf(file).resolve("target").resolve("classes"))
                .distinct()
                .filter(Files::isDirectory)
                .toList();
    }

    static boolean isProduction(Path file) {
        return file.toString().replace('\\', '/').contains("/src/main/java/");
    }

    /** The folder above {@code src}. */
    private static Path moduleOf(Path file) {
        Path path = file;
        while (!path.getFileName().toString().equals("src")) {
            path = path.getParent();
        }
        return path.getParent();
    }

    static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
