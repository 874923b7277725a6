package io.duramen.node.network;

import io.duramen.runtime.settings.Bytes;
import io.duramen.runtime.settings.Setting;
import java.time.Duration;

/** Settings under {@code network.}. */
public record NetworkConfig(
        @Setting(
                value = "127.0.0.1",
                doc = "Address to listen on. Beyond loopback, anonymous access has to be switched off or allowed"
                        + " explicitly.")
        String host,

        @Setting(value = "7676", min = "0", max = "65535", doc = "TCP port; 0 takes any that is free.")
        int port,

        @Setting(
                value = "0",
                min = "0",
                max = "64",
                doc = "Threads that serve connections; 0 takes half the processors, at least one and at most four.")
        int eventLoops,

        @Setting(value = "true", doc = "Whether the native transport (epoll) is used where there is one.")
        boolean nativeTransport,

        @Setting(
                value = "16MiB",
                min = "64KiB",
                max = "256MiB",
                doc = "Longest frame accepted after login; bounds a message and a transaction.")
        Bytes frameLengthMax,

        @Setting(
                value = "8192",
                min = "1",
                max = "1000000",
                doc = "Most requests of one connection that may wait for an answer; past it the node stops reading.")
        int inFlightMax,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "1h",
                doc = "Each side sends something at least this often, where the client does not ask for another"
                        + " interval; silence of twice that ends the connection.")
        Duration heartbeat,

        @Setting(
                value = "10s",
                min = "100ms",
                max = "10m",
                doc = "A connection that has not asked to log in after this time is closed.")
        Duration handshakeTimeout,

        @Setting(value = "10000", min = "1", max = "1000000", doc = "Most connections at a time.")
        int connectionsMax,

        @Setting(value = "10000", min = "1", max = "1000000", doc = "Most connections at a time from one address.")
        int connectionsPerAddressMax,

        @Setting(
                value = "4MiB",
                min = "64KiB",
                doc = "The node stops reading from a connection of which this much waits to be handled.")
        Bytes inboundMax,

        @Setting(
                value = "64MiB",
                min = "64KiB",
                doc = "The node stops reading from connections while this much of all together waits to be handled.")
        Bytes inboundTotal,

        @Setting(value = "64MiB", min = "64KiB", doc = "A connection whose client leaves this much unread is closed.")
        Bytes outboundMax,

        @Setting(
                value = "192MiB",
                min = "64KiB",
                doc = "While this much of all connections together is unread, a connection that adds to it is closed.")
        Bytes outboundTotal,

        @Setting(
                value = "30s",
                min = "100ms",
                max = "1h",
                doc = "A connection whose client has read nothing of what waits for it for this long is closed.")
        Duration outboundTimeout,

        @Setting(
                value = "5s",
                max = "10m",
                doc = "When the node stops, requests that were received are answered within this time.")
        Duration stopTimeout) {}
