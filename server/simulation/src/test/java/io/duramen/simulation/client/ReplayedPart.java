package io.duramen.simulation.client;

import io.duramen.broker.shard.OperatorRequest.ChangeDestination;
import io.duramen.broker.shard.OperatorRequest.FindKept;
import io.duramen.broker.shard.OperatorRequest.KeptStretch;
import io.duramen.broker.shard.OperatorRequest.MoveCursor;
import io.duramen.broker.shard.OperatorRequest.Target;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.DestinationKind;
import io.duramen.protocol.frame.Settle;
import io.duramen.simulation.broker.SimulatedServer;
import io.duramen.simulation.broker.SubscriptionKey;
import io.duramen.simulation.invariant.SoughtComesAgain;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Consumes a durable subscription of a topic that keeps what is settled, leaves it now and then, has an operator seek it to somewhere
 * meanwhile, and comes back.
 */
public final class ReplayedPart extends IntakePart {
    private static final int SEEKS = 12;
    private static final Set<ErrorCode> REFUSED =
            EnumSet.of(ErrorCode.SUBSCRIPTION_IN_USE, ErrorCode.INVALID_REQUEST, ErrorCode.SUBSCRIPTION_NOT_FOUND);

    private final SimulatedServer server;
    private final SubscriptionKey subscription;
    private final SoughtComesAgain checker;
    private boolean keeps;
    private int away;
    private int seeks = SEEKS;

    /** What is asked; answers to what was asked before the server died are none. */
    private CompletableFuture<?> asked;

    public ReplayedPart(
            SimulatedClient client, SimulatedServer server, SubscriptionKey subscription, SoughtComesAgain checker) {
        super(
                client,
                new Intake.Source(
                        subscription.destination(),
                        DestinationKind.TOPIC,
                        SubscriptionKind.DURABLE,
                        subscription.name()));
        this.server = server;
        this.subscription = subscription;
        this.checker = checker;
    }

    @Override
    public void lost() {
        asked = null;
        super.lost();
    }

    @Override
    public void work() {
        if (intake.isJoined()) {
            consume();
        } else if (away > 0 && intake.isAway() && asked == null) {
            away--;
            if (winding || away == 0) {
                away = 0;
                intake.join();
            } else if (random.oneIn(3)) {
                seek();
            }
        }
    }

    private void consume() {
        if (!keeps && asked == null && server.isOpen()) {
            keep();
        }
        intake.topUp();
        for (int take = random.below(6); take > 0; take--) {
            intake.take();
        }
        if (!intake.held().isEmpty() && (winding || random.oneIn(2))) {
            intake.settle(List.copyOf(intake.held().keySet()), Settle.Outcome.ACCEPTED);
        }
        if (!winding && keeps && seeks > 0 && random.oneIn(10) && intake.isSettled()) {
            intake.leave();
            away = random.between(5, 30);
        }
    }

    private void keep() {
        CompletableFuture<Boolean> changed =
                server.asks(new ChangeDestination(subscription.destination(), "keep-size:1GiB"));
        asked = changed;
        changed.whenComplete((done, refusal) -> {
            if (asked == changed) {
                asked = null;
                keeps = refusal == null;
            }
        });
    }

    private void seek() {
        if (!server.isOpen()) {
            return;
        }
        int shard = random.below(server.grounds().size());
        CompletableFuture<List<KeptStretch>> found = server.asks(shard, new FindKept(target(), 0));
        asked = found;
        found.whenComplete((stretches, refusal) -> {
            if (asked == found) {
                asked = null;
                if (refusal == null && !stretches.isEmpty()) {
                    move(shard, random.pick(stretches));
                }
            }
        });
    }

    private Target target() {
        return new Target.OfSubscription(subscription.clientId(), subscription.name());
    }

    private void move(int shard, KeptStretch stretch) {
        if (!server.isOpen() || !stretch.kept()) {
            return;
        }
        long offset = stretch.from() + random.below((int) (stretch.end() - stretch.from()) + 1);
        SoughtComesAgain.Bounds before = checker.bounds(stretch.partition());
        SoughtComesAgain.Bounds asking = checker.seeking(stretch.partition(), offset);
        server.seeking(subscription);
        CompletableFuture<Boolean> moved =
                server.asks(shard, new MoveCursor(target(), stretch.partition(), offset, false));
        asked = moved;
        moved.whenComplete((done, refusal) -> {
            if (refusal == null) {
                seeks--;
                checker.sought(stretch.partition(), asking, offset, stretch.end());
            } else if (asked == moved && refusal instanceof ProtocolException why && REFUSED.contains(why.code())) {
                checker.notSought(stretch.partition(), before);
            }
            if (asked == moved) {
                asked = null;
            }
        });
    }

    @Override
    public String describe() {
        return "replayed " + intake;
    }
}
