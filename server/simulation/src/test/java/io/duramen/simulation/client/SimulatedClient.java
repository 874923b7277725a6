package io.duramen.simulation.client;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Failure;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.SendAgain;
import io.duramen.simulation.SeededRandom;
import io.duramen.simulation.Simulation;
import io.duramen.simulation.broker.SimulatedLink;
import io.duramen.simulation.broker.SimulatedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A client with one connection, made anew whenever it is lost. Confined to the simulation. */
public final class SimulatedClient implements SimulatedLink.ClientEnd {
    private static final int RECONNECT_NANOS_MAX = 15_000_000;
    private static final int WORK_NANOS_MAX = 1_500_000;

    /** How a request ended. */
    public interface Answer {
        void answered(Record response);

        void refused(ErrorCode code, String detail);
    }

    private record Pending(Record request, Answer answer) {}

    private final SimulatedServer server;
    private final Simulation simulation;
    private final SeededRandom random;
    private final int number;
    private final Optional<String> clientId;
    private final List<ClientPart> parts = new ArrayList<>();
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private SimulatedLink link;
    private long correlation;
    private int consumers;
    private long waited;
    private boolean resting;

    public SimulatedClient(SimulatedServer server, int number, Optional<String> clientId) {
        this.server = server;
        this.simulation = server.simulation();
        this.random = simulation.random().split();
        this.number = number;
        this.clientId = clientId;
        connectSoon();
        simulation.after(random.below(WORK_NANOS_MAX), this::work);
    }

    public void add(ClientPart part) {
        parts.add(part);
        if (isConnected()) {
            part.connected();
        }
    }

    public List<ClientPart> parts() {
        return parts;
    }

    public int number() {
        return number;
    }

    public SeededRandom random() {
        return random;
    }

    public Simulation simulation() {
        return simulation;
    }

    int nextConsumerId() {
        return ++consumers;
    }

    /** An application learned by other means than the answer that its transaction has committed. */
    void foundCommitted(Commit.Request request) {
        server.foundCommitted(request);
    }

    void rolledBack(long transaction) {
        server.rolledBack(transaction);
    }

    void branchCommitted(long transaction) {
        server.branchCommitted(transaction);
    }

    long powerCuts() {
        return server.powerCuts();
    }

    public boolean isConnected() {
        return link != null;
    }

    /** Breaks the connection, as a network fault. */
    public void drop() {
        if (link != null) {
            link.drop();
        }
    }

    void ask(Record request, Answer answer) {
        long id = ++correlation;
        pending.put(id, new Pending(request, answer));
        link.toServer(Frame.request(id, request));
    }

    /** As {@link #ask}, for a request whose answer nobody waits for. */
    void tell(Record request) {
        ask(request, new Answer() {
            @Override
            public void answered(Record response) {}

            @Override
            public void refused(ErrorCode code, String detail) {}
        });
    }

    void push(Record push) {
        link.toServer(Frame.push(push));
    }

    /** A refusal that only a new connection, or a new server, can mend. */
    void retryLater(ErrorCode code) {
        switch (code) {
            case NOT_LEADER, SHUTTING_DOWN, SHARD_STOPPED -> drop();
            default -> throw new AssertionError("client " + number + " was refused with " + code);
        }
    }

    private void connectSoon() {
        simulation.after(random.below(RECONNECT_NANOS_MAX), this::connect);
    }

    private void connect() {
        link = server.connect(number, clientId, this).orElse(null);
        if (link == null) {
            connectSoon();
        } else {
            parts.forEach(ClientPart::connected);
        }
    }

    /** Its parts do nothing more by themselves. */
    public void rest() {
        resting = true;
    }

    private void work() {
        if (isConnected() && !resting) {
            for (ClientPart part : parts) {
                if (isConnected()) {
                    part.work();
                }
            }
        }
        simulation.after(random.below(WORK_NANOS_MAX), this::work);
    }

    @Override
    public void received(Frame frame) {
        if (frame.payload() instanceof Deliver.Push push) {
            parts.stream().filter(part -> part.owns(push.consumerId())).forEach(part -> part.deliver(push));
        } else if (frame.payload() instanceof Recall.Push push) {
            parts.stream().filter(part -> part.owns(push.consumerId())).forEach(part -> part.recall(push));
        } else if (frame.payload() instanceof SendAgain.Push push) {
            push.requests().forEach(one -> sendAgain(one.correlation()));
        } else if (frame.kind() != Frame.Kind.PUSH) {
            if (waits(frame)) {
                return;
            }
            Pending asked = pending.remove(frame.correlation());
            if (asked == null) {
                throw new AssertionError("client " + number + " got a second answer: " + frame);
            }
            if (frame.payload() instanceof Failure failure) {
                asked.answer.refused(code(failure), failure.detail());
            } else {
                asked.answer.answered(frame.payload());
            }
        }
    }

    /** To those who send a full disk and a full destination are the same. */
    private static ErrorCode code(Failure failure) {
        ErrorCode code = ErrorCode.of(failure.code());
        return isFull(code) ? ErrorCode.RESOURCE_EXHAUSTED : code;
    }

    private static boolean isFull(ErrorCode code) {
        return code == ErrorCode.DESTINATION_FULL || code == ErrorCode.DESTINATION_FULL_WAIT;
    }

    /** Whether the request is to be sent again when the server says so. */
    private boolean waits(Frame answer) {
        return answer.payload() instanceof Failure failure
                && failure.code() == ErrorCode.DESTINATION_FULL_WAIT.number()
                && pending.get(answer.correlation()).request instanceof Publish.Request publish
                && publish.acks() != Publish.Acks.NONE;
    }

    private void sendAgain(long id) {
        Pending asked = pending.get(id);
        if (asked != null) {
            waited++;
            link.toServer(Frame.request(id, asked.request));
        }
    }

    /** How often a request was sent again since its destination had been full. */
    public long waited() {
        return waited;
    }

    @Override
    public void lost() {
        link = null;
        pending.clear();
        parts.forEach(ClientPart::lost);
        connectSoon();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("client " + number + (link == null ? " (not connected)" : ""));
        parts.forEach(part -> text.append("; ").append(part.describe()));
        return text.toString();
    }
}
