package io.duramen.node.security;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The file {@code users} of a data directory: one {@code NAME:HASH} a line. Read by the node, changed by the command line
 * also while the node runs; each change replaces the file, and two at a time wait for each other.
 */
public final class UsersFile {
    private static final int NAME_LENGTH_MAX = 255;
    private static final String HEADER = "# Users of this node, changed by 'duramen user'. Owner only.\n";

    private final Path file;

    public UsersFile(Path dataDirectory) {
        this.file = dataDirectory.resolve("users");
    }

    public boolean exists() {
        return Files.exists(file);
    }

    /** @throws IllegalArgumentException where the name cannot be a user's or the password is empty */
    public void put(String name, String password, int iterations) throws IOException {
        checkName(name);
        if (password.isEmpty()) {
            throw new IllegalArgumentException("an empty password is no password");
        }
        PasswordHash hash = PasswordHash.of(password, iterations);
        change(users -> {
            users.put(name, hash);
            return users;
        });
    }

    /** @return whether there was such a user */
    public boolean remove(String name) throws IOException {
        boolean[] found = new boolean[1];
        change(users -> {
            found[0] = users.remove(name) != null;
            return users;
        });
        return found[0];
    }

    public Iterable<String> names() throws IOException {
        return read().keySet();
    }

    SortedMap<String, PasswordHash> read() throws IOException {
        SortedMap<String, PasswordHash> users = new TreeMap<>();
        if (!exists()) {
            return users;
        }
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(':');
            try {
                checkName(line.substring(0, Math.max(0, colon)));
                users.put(line.substring(0, colon), PasswordHash.parse(line.substring(colon + 1)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
            }
        }
        return users;
    }

    /** What changes whenever the file is replaced. */
    Object version() throws IOException {
        if (!exists()) {
            return "absent";
        }
        return Files.getLastModifiedTime(file)
                + "/" + Files.size(file) + "/"
                + Files.readAttributes(file, java.nio.file.attribute.BasicFileAttributes.class)
                        .fileKey();
    }

    private void change(UnaryOperator<SortedMap<String, PasswordHash>> change) throws IOException {
        OwnerOnlyFile.createDirectory(file.toAbsolutePath().getParent());
        Path lock = file.resolveSibling("users.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            StringBuilder text = new StringBuilder(HEADER);
            change.apply(read())
                    .forEach((name, hash) ->
                            text.append(name).append(':').append(hash).append('\n'));
            OwnerOnlyFile.replace(file, text.toString());
            assert held.isValid();
        }
    }

    private static void checkName(String name) {
        boolean hasForbidden = name.chars().anyMatch(c -> c == ':' || Character.isISOControl(c));
        if (name.isBlank()
                || name.startsWith("#")
                || !name.strip().equals(name)
                || name.getBytes(StandardCharsets.UTF_8).length > NAME_LENGTH_MAX
                || hasForbidden) {
            throw new IllegalArgumentException("a user's name has 1 to " + NAME_LENGTH_MAX
                    + " bytes, no colon, no control character, no blank at either end, and does not begin with #");
        }
    }
}
