package io.duramen.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS as the JVM has it, whose client sockets besides want the certificate to name the host that they connect to: those of RMI
 * take any certificate that is trusted, otherwise. Thread-safe.
 */
final class CheckedTls extends SSLContextSpi {
    private final SSLContext usual;

    private CheckedTls(SSLContext usual) {
        this.usual = usual;
    }

    /** From now on, for all of this JVM; before it first connects. */
    static void install() throws IOException {
        try {
            SSLContext usual = SSLContext.getDefault();
            SSLContext.setDefault(new SSLContext(new CheckedTls(usual), usual.getProvider(), usual.getProtocol()) {});
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("TLS cannot be had: " + e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("it is set up already");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return new Sockets(usual.getSocketFactory());
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return usual.getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return usual.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return usual.createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return usual.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return usual.getClientSessionContext();
    }

    private static final class Sockets extends SSLSocketFactory {
        private final SSLSocketFactory usual;

        Sockets(SSLSocketFactory usual) {
            this.usual = usual;
        }

        private static Socket checked(Socket socket) {
            SSLSocket secure = (SSLSocket) socket;
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            return secure;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return usual.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return usual.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket() throws IOException {
            return checked(usual.createSocket());
        }

        @Override
        public Socket createSocket(Socket below, String host, int port, boolean autoClose) throws IOException {
            return checked(usual.createSocket(below, host, port, autoClose));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return checked(usual.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
            return checked(usual.createSocket(host, port, from, fromPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return checked(usual.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
            return checked(usual.createSocket(host, port, from, fromPort));
        }
    }
}
