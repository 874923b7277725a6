package io.duramen.broker.shard;

import io.duramen.broker.destination.Destination;
import io.duramen.broker.destination.NamePattern;
import io.duramen.broker.shard.ControlRecord.DeliveryPaused;
import io.duramen.broker.shard.OperatorRequest.CountDestinations;
import io.duramen.broker.shard.OperatorRequest.CountSubscriptions;
import io.duramen.broker.shard.OperatorRequest.DestinationCounts;
import io.duramen.broker.shard.OperatorRequest.DestinationEntry;
import io.duramen.broker.shard.OperatorRequest.DestinationPage;
import io.duramen.broker.shard.OperatorRequest.ListDestinations;
import io.duramen.broker.shard.OperatorRequest.ListSubscriptions;
import io.duramen.broker.shard.OperatorRequest.PreparedEntry;
import io.duramen.broker.shard.OperatorRequest.SubscriptionCounts;
import io.duramen.broker.shard.OperatorRequest.SubscriptionEntry;
import io.duramen.broker.shard.OperatorRequest.SubscriptionPage;
import io.duramen.broker.shard.ShardRequest.FromOperator;
import io.duramen.broker.subscription.Offsets;
import io.duramen.broker.subscription.Subscription;
import io.duramen.broker.transaction.PreparedBranch;
import io.duramen.broker.transaction.Spread;
import io.duramen.protocol.Api;
import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.ProtocolException;
import io.duramen.protocol.frame.Attach.SubscriptionKind;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.record.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Decides what an operator asks for. Confined to the agent. */
final class OperatorDecisions {
    /** Most names that one page looks at. */
    private static final int LOOK_MAX = 10_000;

    private final ShardState state;
    private final DestinationDecisions destinations;
    private final BranchDecisions branches;
    private final OperatorSweeps sweeps;
    private final OperatorMessages messages;
    private final PauseDecisions pauses;
    private final SettingDecisions settings;
    private final SeekDecisions seeking;
    private final ConsumerEndings consumers;
    private final FormatDecisions format;

    OperatorDecisions(
            ShardState state,
            DestinationDecisions destinations,
            BranchDecisions branches,
            OperatorSweeps sweeps,
            OperatorMessages messages,
            OfDefinitions definitions) {
        this.state = state;
        this.destinations = destinations;
        this.branches = branches;
        this.sweeps = sweeps;
        this.messages = messages;
        this.pauses = definitions.pauses;
        this.settings = definitions.settings;
        this.seeking = definitions.seeking;
        this.consumers = definitions.consumers;
        this.format = definitions.format;
    }

    /** What changes how destinations and subscriptions go on, and who takes part in them. */
    record OfDefinitions(
            PauseDecisions pauses,
            SettingDecisions settings,
            SeekDecisions seeking,
            ConsumerEndings consumers,
            FormatDecisions format) {}

    /** Goes on with what had to wait for bytes of the log. */
    int doWork() {
        return sweeps.doWork() + messages.doWork();
    }

    /** @param leading whether the shard takes requests */
    <A> void decide(FromOperator<A> from, boolean leading) {
        try {
            if (!leading) {
                throw new ProtocolException(ErrorCode.NOT_LEADER, "the shard is recovering");
            }
            route(from);
        } catch (ProtocolException refusal) {
            from.answer().completeExceptionally(refusal);
        }
    }

    /** Whoever was answered that a transaction is committed finds its messages, and no prepared part of it. */
    private void afterCommits(FromOperator<?> from, Runnable then) {
        branches.whenCarriedOut(new Appender.Waiter() {
            @Override
            public void reached() {
                try {
                    then.run();
                } catch (ProtocolException refusal) {
                    failed(refusal);
                }
            }

            @Override
            public void failed(ProtocolException reason) {
                from.answer().completeExceptionally(reason);
            }
        });
    }

    /** The request says what its answer is. */
    @SuppressWarnings("unchecked")
    private static <A> CompletableFuture<A> answer(FromOperator<?> from) {
        return (CompletableFuture<A>) from.answer();
    }

    private void route(FromOperator<?> from) {
        OperatorRequest<?> request = from.request();
        if (request instanceof ListDestinations list) {
            answer(from).complete(destinations(list));
        } else if (request instanceof CountDestinations count) {
            requireAtMostAPage(count.names().size());
            answer(from).complete(count.names().stream().map(this::counts).toList());
        } else if (request instanceof OperatorRequest.RequireUnused unused) {
            afterCommits(from, () -> {
                destinations.requireUnused(unused.name());
                answer(from).complete(true);
            });
        } else if (request instanceof OperatorRequest.DeleteDestination delete) {
            requireCatalogue();
            afterCommits(
                    from, () -> destinations.delete(delete.name(), done(answer(from), true), () -> decide(from, true)));
        } else if (request instanceof OperatorRequest.AddPartitions add) {
            requireCatalogue();
            destinations.grow(add.name(), add.partitions(), done(answer(from), true), () -> decide(from, true));
        } else if (request instanceof ListSubscriptions list) {
            answer(from).complete(subscriptions(list));
        } else if (request instanceof CountSubscriptions count) {
            requireAtMostAPage(count.ids().size());
            answer(from).complete(count.ids().stream().map(this::counts).toList());
        } else if (request instanceof OperatorRequest.ListPrepared) {
            answer(from).complete(prepared());
        } else if (request instanceof OperatorRequest.EndPrepared end) {
            end(end, answer(from));
        } else if (request instanceof OperatorRequest.FindStretches find) {
            afterCommits(from, () -> answer(from).complete(sweeps.stretches(find)));
        } else if (request instanceof OperatorRequest.Sweep sweep) {
            sweeps.begin(sweep, answer(from));
        } else {
            routeToMessages(from);
        }
    }

    private void routeToMessages(FromOperator<?> from) {
        OperatorRequest<?> request = from.request();
        if (request instanceof OperatorRequest.CreateDestination create) {
            requireCatalogue();
            destinations.create(
                    create.name(),
                    create.kind(),
                    create.partitions(),
                    done(answer(from), true),
                    () -> decide(from, true));
        } else if (request instanceof OperatorRequest.PauseDestination pause) {
            pause(new DeliveryPaused(pause.name(), Pauses.ALL, pause.paused()), from);
        } else if (request instanceof OperatorRequest.PauseSubscription pause) {
            Subscriptions.Name name = new Subscriptions.Name(pause.clientId(), pause.name());
            Subscription subscription = state.subscriptions
                    .durable(name)
                    .orElseThrow(() -> new ProtocolException(
                            ErrorCode.SUBSCRIPTION_NOT_FOUND,
                            "no durable subscription '" + pause.name() + "' of client id '" + pause.clientId() + "'"));
            pause(
                    new DeliveryPaused(
                            subscription.destination().name(),
                            subscription.row().subscription(),
                            pause.paused()),
                    from);
        } else if (request instanceof OperatorRequest.ChangeDestination change) {
            requireCatalogue();
            settings.change(change.name(), change.settings(), done(answer(from), true), () -> decide(from, true));
        } else if (request instanceof OperatorRequest.FindKept find) {
            answer(from).complete(seeking.find(find));
        } else if (request instanceof OperatorRequest.MoveCursor move) {
            afterCommits(from, () -> seeking.move(move, done(answer(from), true), () -> decide(from, true)));
        } else if (request instanceof OperatorRequest.FindSettings find) {
            requireCatalogue();
            answer(from).complete(settings.settings(find.name()));
        } else if (request instanceof OperatorRequest.FindPlaces find) {
            requireCatalogue();
            answer(from).complete(places(find.name()));
        } else if (request instanceof OperatorRequest.Look look) {
            requirePage(look.max());
            afterCommits(from, () -> messages.look(look, answer(from)));
        } else if (request instanceof OperatorRequest.ListConsumers list) {
            requirePage(list.limit());
            answer(from).complete(messages.consumers(list));
        } else if (request instanceof OperatorRequest.ListAttached list) {
            requirePage(list.limit());
            answer(from).complete(consumers.list(list));
        } else if (request instanceof OperatorRequest.EndConsumer end) {
            consumers.end(end, answer(from));
        } else {
            routeToRest(from);
        }
    }

    private void routeToRest(FromOperator<?> from) {
        OperatorRequest<?> request = from.request();
        if (request instanceof OperatorRequest.FindFull find) {
            answer(from).complete(state.capacity.full(find));
        } else if (request instanceof OperatorRequest.FindStuck find) {
            answer(from).complete(messages.stuck(find));
        } else if (request instanceof OperatorRequest.TakeBack takeBack) {
            messages.takeBack(takeBack, answer(from));
        } else if (request instanceof OperatorRequest.Store store) {
            messages.store(store, answer(from));
        } else if (request instanceof OperatorRequest.DecideFormat decide) {
            format.decide(decide.level(), done(answer(from), true));
        }
    }

    private void pause(DeliveryPaused wanted, FromOperator<?> from) {
        requireCatalogue();
        pauses.pause(wanted, done(answer(from), true), () -> decide(from, true));
    }

    private static void requireAtMostAPage(int size) {
        if (size > OperatorRequest.PAGE_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST, size + " are asked for: the limit is " + OperatorRequest.PAGE_MAX);
        }
    }

    private static void requirePage(int limit) {
        if (limit < 1 || limit > OperatorRequest.PAGE_MAX) {
            throw new ProtocolException(
                    ErrorCode.INVALID_REQUEST,
                    "a page of " + limit + " entries: 1 to " + OperatorRequest.PAGE_MAX + " are allowed");
        }
    }

    private void requireCatalogue() {
        if (!destinations.hasCatalogue()) {
            throw new ProtocolException(ErrorCode.INVALID_REQUEST, "this shard has no catalogue");
        }
    }

    /** Answers once something is done in all shards. */
    static <A> Appender.Waiter done(CompletableFuture<A> answer, A value) {
        return new Appender.Waiter() {
            @Override
            public void reached() {
                answer.complete(value);
            }

            @Override
            public void failed(ProtocolException reason) {
                answer.completeExceptionally(reason);
            }
        };
    }

    // ---- destinations ----------------------------------------------------------------------------------------------

    private DestinationPage destinations(ListDestinations request) {
        requireCatalogue();
        requirePage(request.limit());
        NamePattern pattern = new NamePattern(request.pattern());
        List<DestinationEntry> entries = new ArrayList<>();
        int looked = 0;
        String last = "";
        for (Destination destination : state.catalogue.behind(request.after())) {
            if (entries.size() == request.limit() || looked++ == LOOK_MAX) {
                return new DestinationPage(entries, last);
            }
            last = destination.name();
            if (!destination.isLeaving() && pattern.matches(last)) {
                entries.add(new DestinationEntry(
                        last, destination.kind(), destination.places().size(), state.pauses.has(last, Pauses.ALL)));
            }
        }
        return new DestinationPage(entries, "");
    }

    private OperatorRequest.Places places(String name) {
        Destination destination = state.catalogue
                .find(name)
                .filter(found -> !found.isLeaving())
                .orElseThrow(
                        () -> new ProtocolException(ErrorCode.DESTINATION_NOT_FOUND, "no destination '" + name + "'"));
        return new OperatorRequest.Places(destination.kind(), List.copyOf(destination.places()));
    }

    private DestinationCounts counts(String name) {
        Optional<Destination> found = state.catalogue.find(name);
        if (found.isEmpty()) {
            return DestinationCounts.NONE;
        }
        List<Subscription> subscriptions = state.subscriptions.of(name);
        boolean queue = found.get().kind().isQueue();
        long messages = 0;
        long held = 0;
        int consumers = 0;
        for (Subscription subscription : subscriptions) {
            messages += queue ? subscription.unsettled() : 0;
            held += queue ? subscription.held() : 0;
            consumers += subscription.consumers();
        }
        return new DestinationCounts(messages, held, consumers, subscriptions.size());
    }

    // ---- subscriptions ---------------------------------------------------------------------------------------------

    private SubscriptionPage subscriptions(ListSubscriptions request) {
        requireCatalogue();
        requirePage(request.limit());
        NamePattern pattern = new NamePattern(request.pattern());
        List<SubscriptionEntry> entries = new ArrayList<>();
        int looked = 0;
        int last = -1;
        for (Subscription subscription : state.subscriptions.durablesBehind(request.after())) {
            if (entries.size() == request.limit() || looked++ == LOOK_MAX) {
                return new SubscriptionPage(entries, last);
            }
            last = subscription.row().subscription();
            if (subscription.kind() != SubscriptionKind.QUEUE
                    && pattern.matches(subscription.row().destination())) {
                entries.add(new SubscriptionEntry(
                        last,
                        subscription.row().destination(),
                        subscription.row().clientId(),
                        subscription.row().name(),
                        subscription.kind(),
                        subscription.row().selector(),
                        state.pauses.isPaused(
                                subscription.destination().name(),
                                subscription.row().subscription())));
            }
        }
        return new SubscriptionPage(entries, -1);
    }

    private SubscriptionCounts counts(int id) {
        Subscription subscription = state.subscriptions.durable(id);
        return subscription == null
                ? SubscriptionCounts.NONE
                : new SubscriptionCounts(subscription.unsettled(), subscription.held(), subscription.consumers());
    }

    // ---- branches --------------------------------------------------------------------------------------------------

    private List<PreparedEntry> prepared() {
        return state.branches.all().stream()
                .filter(branch -> !Spread.isInner(branch.id()))
                .map(OperatorDecisions::entry)
                .toList();
    }

    private static PreparedEntry entry(PreparedBranch branch) {
        long messages = 0;
        for (var batch : branch.batches()) {
            messages += RecordBatch.count(batch.batch());
        }
        long settles = 0;
        for (var settlement : branch.settlements()) {
            settles += Offsets.count(settlement.ranges());
        }
        return new PreparedEntry(branch.id(), branch.preparedMillis(), branch.user(), messages, settles);
    }

    private void end(OperatorRequest.EndPrepared request, CompletableFuture<Boolean> answer) {
        ConnectionState operator = new ConnectionState(new OperatorConnection(answer));
        Reply reply = new Reply(operator.connection(), Api.END_BRANCH, 0, true);
        EndBranch.Request end = new EndBranch.Request(0, request.id(), request.commit());
        new Runnable() {
            @Override
            public void run() {
                try {
                    branches.end(operator, reply, end, this);
                } catch (ProtocolException refusal) {
                    reply.fail(refusal);
                }
            }
        }.run();
    }
}
