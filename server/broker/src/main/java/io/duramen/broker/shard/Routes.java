package io.duramen.broker.shard;

import io.duramen.protocol.Frame;
import io.duramen.protocol.MalformedFrameException;
import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.FindDedupId;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.PrepareHalf;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.Unsubscribe;

/** Which request is whose to decide. */
record Routes(
        PublishDecisions publishing,
        BranchDecisions branches,
        SettleDecisions settling,
        ConsumerDecisions consumers,
        DestinationDecisions destinations,
        BrowseDecisions browsing,
        BodyDecisions bodies,
        FetchDecisions fetching,
        IdentityDecisions identities,
        HalfDecisions halves,
        HalfChecks checks,
        DedupDecisions dedup,
        ClaimedIds claimed) {
    /** @param again decides the request anew */
    void route(ConnectionState connection, Reply reply, Frame frame, Runnable again) {
        Record payload = frame.payload();
        switch (frame.api()) {
            case PUBLISH -> publishing.publish(reply, (Publish.Request) payload);
            case SETTLE -> settling.settle(connection, reply, (Settle.Request) payload);
            case CREDIT -> consumers.credit(connection, (Credit.Push) payload);
            case COMMIT -> publishing.commit(connection, reply, (Commit.Request) payload);
            case IDENTIFY -> claimed.claim(connection, reply, (Identify.Request) payload);
            case INIT_PRODUCER -> identities.init(reply, (InitProducer.Request) payload);
            case PREPARE_HALF -> halves.prepare(connection, reply, (PrepareHalf.Request) payload);
            case END_HALF -> halves.end(connection, reply, (EndHalf.Request) payload, again);
            case AWAIT_CHECKS -> checks.await(connection, reply, (AwaitChecks.Request) payload);
            case LIST_HALVES -> halves.list(connection, reply, (ListHalves.Request) payload);
            case PREPARE -> branches.prepare(connection, reply, (Prepare.Request) payload, again);
            case END_BRANCH -> branches.end(connection, reply, (EndBranch.Request) payload, again);
            case LIST_BRANCHES -> branches.list(connection, reply);
            case TRANSACTION_OUTCOME -> publishing.outcome(reply, (TransactionOutcome.Request) payload, again);
            case ATTACH -> consumers.attach(connection, reply, (Attach.Request) payload, again);
            case BROWSE -> browsing.browse(connection, reply, (Browse.Request) payload);
            case STORE_PART -> bodies.store(connection, reply, (StorePart.Request) payload);
            case DROP_BODY -> bodies.drop(reply, (DropBody.Request) payload);
            case FETCH_PART -> fetching.fetch(connection, reply, (FetchPart.Request) payload);
            case FIND_DEDUP_ID -> dedup.find(reply, (FindDedupId.Request) payload);
            case DETACH -> consumers.detach(connection, reply, (Detach.Request) payload);
            case RESOLVE_DESTINATION -> destinations.resolve(reply, (ResolveDestination.Request) payload, again);
            case CREATE_TEMPORARY ->
                destinations.createTemporary(connection, reply, (CreateTemporary.Request) payload, again);
            case DELETE_DESTINATION -> destinations.delete(connection, reply, (DeleteDestination.Request) payload);
            case UNSUBSCRIBE -> consumers.unsubscribe(connection, reply, (Unsubscribe.Request) payload, again);
            default -> throw new MalformedFrameException("a shard takes no " + frame.api());
        }
    }
}
