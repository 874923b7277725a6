package io.duramen.replication.raft;

import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Mutual TLS between nodes: each side shows a certificate, and a node is who a DNS name in its certificate says that it is.
 * Immutable.
 *
 * @param context with this node's key, and whom it trusts to sign those of the others
 */
public record PeerTls(SSLContext context) {
    private static final int DNS_NAME = 2;

    SslHandler server() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        return new SslHandler(onlyCurrent(engine));
    }

    SslHandler client() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        return new SslHandler(onlyCurrent(engine));
    }

    private static SSLEngine onlyCurrent(SSLEngine engine) {
        engine.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        return engine;
    }

    /** Whether the other side of a connection is the node of that name; once the handshake is done. */
    static boolean isNamed(SslHandler handler, String name) {
        try {
            Certificate certificate = handler.engine().getSession().getPeerCertificates()[0];
            if (!(certificate instanceof X509Certificate x509) || x509.getSubjectAlternativeNames() == null) {
                return false;
            }
            for (List<?> alternative : x509.getSubjectAlternativeNames()) {
                if (alternative.get(0).equals(DNS_NAME) && name.equals(alternative.get(1))) {
                    return true;
                }
            }
            return false;
        } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
            return false;
        }
    }
}
