package io.duramen.node.security;

import io.duramen.runtime.settings.Setting;

/** Settings under {@code security.}. */
public record SecurityConfig(
        @Setting(
                value = "true",
                doc = "Whether clients may log in without a user. On by default only because a node listens on"
                        + " loopback by default.")
        boolean anonymous,

        @Setting(
                value = "false",
                doc = "Whether a node that lets anonymous clients in may listen beyond loopback. It refuses to start"
                        + " otherwise.")
        boolean anonymousBeyondLoopback,

        @Setting(
                value = "210000",
                min = "10000",
                max = "10000000",
                doc = "Rounds of PBKDF2 (HMAC-SHA-512) for passwords that are set from now on.")
        int passwordIterations) {}
