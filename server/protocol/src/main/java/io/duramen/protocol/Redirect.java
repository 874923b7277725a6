package io.duramen.protocol;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The detail of a {@link ErrorCode#NOT_LEADER} with which a node refuses Hello: {@code HOST:PORT leads} where it knows who does, and
 * any other text where it does not. Stateless.
 */
public final class Redirect {
    private static final String LEADS = " leads";
    private static final Pattern DETAIL =
            Pattern.compile("([A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:]{2,45}]):([0-9]{1,5})" + LEADS);

    private Redirect() {}

    /** @param address HOST:PORT at which clients reach the leader; empty where nobody is known to lead */
    public static ProtocolException to(Optional<String> address) {
        return new ProtocolException(
                ErrorCode.NOT_LEADER,
                address.map(known -> known + LEADS).orElse("no node is known to lead the cluster"));
    }

    /** HOST:PORT of who leads, where the refusal says so. */
    public static Optional<String> of(ProtocolException refusal) {
        if (refusal.code() != ErrorCode.NOT_LEADER || refusal.getMessage() == null) {
            return Optional.empty();
        }
        Matcher parts = DETAIL.matcher(refusal.getMessage());
        if (!parts.matches()) {
            return Optional.empty();
        }
        int port = Integer.parseInt(parts.group(2));
        return port < 1 || port > 65_535 ? Optional.empty() : Optional.of(parts.group(1) + ":" + port);
    }
}
