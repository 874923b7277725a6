package io.duramen.simulation.invariant;

import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.Attachment;
import io.duramen.simulation.broker.Attachment.Place;
import io.duramen.simulation.broker.Observer;
import io.duramen.simulation.message.TestMessage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tokens that transactions moved round a ring of queues are all there in the end, each once. */
public final class TokensAreConserved implements Observer {
    private final long firstToken;
    private final int tokens;
    private final Map<Long, Set<TestMessage>> collected = new TreeMap<>();

    public TokensAreConserved(long firstToken, int tokens) {
        this.firstToken = firstToken;
        this.tokens = tokens;
    }

    @Override
    public void settling(Attachment attachment, Settle.Request request) {
        if (request.outcome() != Settle.Outcome.ACCEPTED) {
            return;
        }
        for (Place place : Attachment.places(request.partition(), request.ranges())) {
            TestMessage message = attachment.given(place);
            if (message != null && message.sender() >= firstToken) {
                collected
                        .computeIfAbsent(message.sender(), token -> new HashSet<>())
                        .add(message);
            }
        }
    }

    @Override
    public void atRest() {
        for (long token = firstToken; token < firstToken + tokens; token++) {
            Set<TestMessage> found = collected.getOrDefault(token, Set.of());
            if (found.size() != 1) {
                throw new AssertionError("token " + token + " was found " + found.size() + " times: " + found);
            }
        }
    }
}
