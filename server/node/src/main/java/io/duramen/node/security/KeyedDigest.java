package io.duramen.node.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Digests by which a process knows passwords again that it found right, without keeping them: their key is drawn anew for each of
 * these and never leaves it. Thread-safe.
 */
public final class KeyedDigest {
    private static final String MAC = "HmacSHA256";
    private static final int KEY_LENGTH = 32;

    private final SecretKeySpec key;

    public KeyedDigest() {
        byte[] random = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, MAC);
    }

    /** Of all parts together; other parts have another, where no part but the last holds a character 0. */
    public byte[] of(String... parts) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            for (int i = 0; i < parts.length; i++) {
                if (i > 0) {
                    mac.update((byte) 0);
                }
                mac.update(parts[i].getBytes(StandardCharsets.UTF_8));
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + MAC, e);
        }
    }
}
