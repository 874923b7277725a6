package io.duramen.node.security;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A salted hash of a password, written {@code pbkdf2-sha512$ITERATIONS$SALT$HASH} with salt and hash in Base64.
 * Immutable.
 */
final class PasswordHash {
    private static final String NAME = "pbkdf2-sha512";
    private static final String ALGORITHM = "PBKDF2WithHmacSHA512";
    private static final int SALT_LENGTH = 16;
    private static final int HASH_LENGTH = 32;
    private static final int ITERATIONS_MAX = 10_000_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    static PasswordHash of(String password, int iterations) {
        byte[] salt = new byte[SALT_LENGTH];
        RANDOM.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations, HASH_LENGTH));
    }

    /** One of no password: made at once, it takes {@link #matches} as long as any other. */
    static PasswordHash ofNobody(int iterations) {
        byte[] salt = new byte[SALT_LENGTH];
        byte[] hash = new byte[HASH_LENGTH];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(hash);
        return new PasswordHash(iterations, salt, hash);
    }

    /** @throws IllegalArgumentException where the text is no such hash */
    static PasswordHash parse(String text) {
        String[] parts = text.split("\\$", -1);
        if (parts.length != 4 || !parts[0].equals(NAME)) {
            throw new IllegalArgumentException("a password hash is not of the form " + NAME + "$ITERATIONS$SALT$HASH");
        }
        int iterations = Integer.parseInt(parts[1]);
        byte[] salt = Base64.getDecoder().decode(parts[2]);
        byte[] hash = Base64.getDecoder().decode(parts[3]);
        if (iterations < 1 || iterations > ITERATIONS_MAX || salt.length == 0 || hash.length < HASH_LENGTH / 2) {
            throw new IllegalArgumentException("a password hash has iterations, salt or hash out of bounds");
        }
        return new PasswordHash(iterations, salt, hash);
    }

    /** Takes as long for a wrong password as for the right one. */
    boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations, hash.length));
    }

    @Override
    public String toString() {
        Base64.Encoder base64 = Base64.getEncoder();
        return NAME + "$" + iterations + "$" + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    private static byte[] derive(String password, byte[] salt, int iterations, int length) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, length * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance(ALGORITHM).generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        } finally {
            spec.clearPassword();
        }
    }
}
