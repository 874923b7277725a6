package io.duramen.node.management;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Key and certificate with which management is offered to other machines. */
final class ManagementKeys {
    private ManagementKeys() {}

    /**
     * @return absent where the settings name no file
     * @throws IOException where it cannot be used
     */
    static Optional<SSLContext> of(ManagementConfig config) throws IOException {
        if (config.keyStore().toString().isEmpty()) {
            return Optional.empty();
        }
        char[] password = config.keyStorePassword().reveal().toCharArray();
        try (InputStream in = Files.newInputStream(config.keyStore())) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(factory.getKeyManagers(), null, null);
            return Optional.of(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(
                    "management.key-store " + config.keyStore() + " cannot be used: " + e.getMessage(), e);
        }
    }
}
