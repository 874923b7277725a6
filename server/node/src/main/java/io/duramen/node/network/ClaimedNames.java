package io.duramen.node.network;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Protocol;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Identify;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a connection has claimed among those of this node: a client id, and the name that its client made up. Confined to the channel's event loop, but
 * for {@link #clientId}.
 */
final class ClaimedNames {
    private final ClientIds ids;
    private final ClientIds.Owner owner;
    private volatile String clientId;
    private String madeUp;

    /** What the catalogue is asked for, too; null for nothing. */
    private String asked;

    ClaimedNames(ClientIds ids, ClientIds.Owner owner) {
        this.ids = ids;
        this.owner = owner;
    }

    /** From any thread. */
    Optional<String> clientId() {
        return Optional.ofNullable(clientId);
    }

    /**
     * Completes once earlier owners are gone.
     *
     * @throws ProtocolException where it cannot have that
     */
    CompletableFuture<Void> claim(Identify.Request request) {
        String wanted = request.clientId();
        if (wanted == null
                || wanted.isEmpty()
                || wanted.getBytes(StandardCharsets.UTF_8).length > Protocol.NAME_LENGTH_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, "a client id has 1 to " + Protocol.NAME_LENGTH_MAX + " bytes");
        }
        if ((isMadeUp(wanted) ? madeUp : clientId) != null) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "this connection has a client id already");
        }
        CompletableFuture<Void> claimed = ids.claim(wanted, request.incarnation(), owner)
                .orElseThrow(() -> new ProtocolException(ErrorCode.CLIENT_ID_IN_USE, Printable.of(wanted)));
        set(wanted, wanted);
        return claimed;
    }

    /** Where clients come to several nodes: the catalogue is asked for it, which knows what those of others have. */
    void ask(String wanted) {
        asked = wanted;
    }

    boolean isAsking() {
        return asked != null;
    }

    /** The catalogue has said whether it may have what it was asked for. */
    void decided(boolean granted) {
        if (!granted) {
            ids.release(asked, owner);
            set(asked, null);
        }
        asked = null;
    }

    void release() {
        if (clientId != null) {
            ids.release(clientId, owner);
        }
        if (madeUp != null) {
            ids.release(madeUp, owner);
        }
    }

    private void set(String name, String value) {
        if (isMadeUp(name)) {
            madeUp = value;
        } else {
            clientId = value;
        }
    }

    private static boolean isMadeUp(String name) {
        return name.startsWith(Identify.MADE_UP);
    }
}
