package io.duramen.acceptance.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build laid the distribution. Stateless. */
public final class Distribution {
    private Distribution() {}

    /** The unpacked distribution; the build names it in the system property {@code duramen.dist}. */
    public static Path home() {
        String home = System.getProperty("duramen.dist");
        if (home == null || !Files.isDirectory(Path.of(home))) {
            throw new IllegalStateException(
                    "no distribution at duramen.dist=" + home + "; mvn -pl deploy/dist -am package makes it");
        }
        return Path.of(home).toAbsolutePath().normalize();
    }

    public static Path script() {
        return home().resolve("bin").resolve("duramen");
    }

    public static String version() {
        return System.getProperty("duramen.version");
    }
}
