package io.duramen.node.directory;

import java.io.IOException;
import java.nio.file.Path;

/** Another node runs on the data directory. */
public final class DirectoryInUseException extends IOException {
    DirectoryInUseException(Path directory) {
        super("data directory " + directory + " is in use by another node; stop that one or choose another directory");
    }
}
