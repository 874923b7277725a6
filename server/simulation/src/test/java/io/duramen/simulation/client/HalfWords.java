package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says what became of half messages, again until each word is answered. Confined to the simulation. */
final class HalfWords {
    private final SimulatedClient client;
    private final List<EndHalf.Request> unanswered = new ArrayList<>();
    private final Set<EndHalf.Request> asked = new HashSet<>();

    HalfWords(SimulatedClient client) {
        this.client = client;
    }

    void say(int shard, HalfId id, boolean confirm) {
        EndHalf.Request word = new EndHalf.Request(shard, id, confirm);
        if (!unanswered.contains(word)) {
            unanswered.add(word);
        }
    }

    void lost() {
        asked.clear();
    }

    void work() {
        unanswered.stream().filter(asked::add).toList().forEach(this::ask);
    }

    private void ask(EndHalf.Request word) {
        client.ask(word, new SimulatedClient.Answer() {
            @Override
            public void answered(Record response) {
                unanswered.remove(word);
                asked.remove(word);
            }

            @Override
            public void refused(ErrorCode code, String detail) {
                if (code == ErrorCode.HALF_ENDED) {
                    answered(null); // it was parked
                } else if (code == ErrorCode.RESOURCE_EXHAUSTED) {
                    asked.remove(word);
                } else {
                    client.retryLater(code);
                }
            }
        });
    }

    boolean isEmpty() {
        return unanswered.isEmpty();
    }
}
