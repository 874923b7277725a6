package io.duramen.protocol;

import io.duramen.protocol.frame.Attach;
import io.duramen.protocol.frame.Authenticate;
import io.duramen.protocol.frame.AwaitChecks;
import io.duramen.protocol.frame.Browse;
import io.duramen.protocol.frame.Close;
import io.duramen.protocol.frame.Commit;
import io.duramen.protocol.frame.CreateTemporary;
import io.duramen.protocol.frame.Credit;
import io.duramen.protocol.frame.DeleteDestination;
import io.duramen.protocol.frame.Deliver;
import io.duramen.protocol.frame.Detach;
import io.duramen.protocol.frame.Drained;
import io.duramen.protocol.frame.DropBody;
import io.duramen.protocol.frame.EndBranch;
import io.duramen.protocol.frame.EndConsumer;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.FetchPart;
import io.duramen.protocol.frame.FindDedupId;
import io.duramen.protocol.frame.Hello;
import io.duramen.protocol.frame.Identify;
import io.duramen.protocol.frame.InitProducer;
import io.duramen.protocol.frame.ListBranches;
import io.duramen.protocol.frame.ListHalves;
import io.duramen.protocol.frame.Ping;
import io.duramen.protocol.frame.Prepare;
import io.duramen.protocol.frame.PrepareHalf;
import io.duramen.protocol.frame.Publish;
import io.duramen.protocol.frame.Recall;
import io.duramen.protocol.frame.ResolveDestination;
import io.duramen.protocol.frame.SendAgain;
import io.duramen.protocol.frame.Settle;
import io.duramen.protocol.frame.StorePart;
import io.duramen.protocol.frame.TransactionOutcome;
import io.duramen.protocol.frame.Unsubscribe;
import java.util.HashMap;
import java.util.Map;

/** The table of frames: a number for each kind of request and its answer, or of a one-way push. Never reused. */
public enum Api {
    HELLO(1, Hello.Request.class, Hello.Response.class),
    AUTHENTICATE(2, Authenticate.Request.class, Authenticate.Response.class),
    IDENTIFY(3, Identify.Request.class, Identify.Response.class),
    PING(4, Ping.Request.class, Ping.Response.class),
    CLOSE(5, Close.Request.class, Close.Response.class),
    RESOLVE_DESTINATION(10, ResolveDestination.Request.class, ResolveDestination.Response.class),
    CREATE_TEMPORARY(11, CreateTemporary.Request.class, ResolveDestination.Response.class),
    DELETE_DESTINATION(12, DeleteDestination.Request.class, DeleteDestination.Response.class),
    UNSUBSCRIBE(13, Unsubscribe.Request.class, Unsubscribe.Response.class),
    PUBLISH(20, Publish.Request.class, Publish.Response.class),
    COMMIT(21, Commit.Request.class, Commit.Response.class),
    TRANSACTION_OUTCOME(22, TransactionOutcome.Request.class, TransactionOutcome.Response.class),
    STORE_PART(23, StorePart.Request.class, StorePart.Response.class),
    DROP_BODY(24, DropBody.Request.class, DropBody.Response.class),
    PREPARE(25, Prepare.Request.class, Prepare.Response.class),
    END_BRANCH(26, EndBranch.Request.class, EndBranch.Response.class),
    LIST_BRANCHES(27, ListBranches.Request.class, ListBranches.Response.class),
    ATTACH(30, Attach.Request.class, Attach.Response.class),
    DETACH(31, Detach.Request.class, Detach.Response.class),
    SETTLE(32, Settle.Request.class, Settle.Response.class),
    CREDIT(33, Credit.Push.class),
    DELIVER(34, Deliver.Push.class),
    DRAINED(35, Drained.Push.class),
    BROWSE(36, Browse.Request.class, Browse.Response.class),
    RECALL(37, Recall.Push.class),
    FETCH_PART(38, FetchPart.Request.class, FetchPart.Response.class),
    SEND_AGAIN(39, SendAgain.Push.class),
    END_CONSUMER(40, EndConsumer.Push.class),
    FIND_DEDUP_ID(45, FindDedupId.Request.class, FindDedupId.Response.class),
    INIT_PRODUCER(47, InitProducer.Request.class, InitProducer.Response.class),
    PREPARE_HALF(48, PrepareHalf.Request.class, PrepareHalf.Response.class),
    END_HALF(49, EndHalf.Request.class, EndHalf.Response.class),
    AWAIT_CHECKS(50, AwaitChecks.Request.class, AwaitChecks.Response.class),
    LIST_HALVES(51, ListHalves.Request.class, ListHalves.Response.class);

    private static final Map<Integer, Api> BY_NUMBER = new HashMap<>();
    private static final ClassValue<Api> BY_TYPE = new ClassValue<>() {
        @Override
        protected Api computeValue(Class<?> type) {
            for (Api api : values()) {
                if (api.request == type || api.push == type) {
                    return api;
                }
            }
            throw new IllegalArgumentException(type + " is neither a request nor a push");
        }
    };

    static {
        for (Api api : values()) {
            BY_NUMBER.put(api.number, api);
        }
    }

    private final int number;
    private final Class<? extends Record> request;
    private final Class<? extends Record> response;
    private final Class<? extends Record> push;

    Api(int number, Class<? extends Record> request, Class<? extends Record> response) {
        this.number = number;
        this.request = request;
        this.response = response;
        this.push = null;
    }

    Api(int number, Class<? extends Record> push) {
        this.number = number;
        this.request = null;
        this.response = null;
        this.push = push;
    }

    public int number() {
        return number;
    }

    /**
     * The record class of this frame in one of its roles.
     *
     * @throws MalformedFrameException where it does not occur in that role
     */
    public Class<? extends Record> type(Frame.Kind kind) {
        Class<? extends Record> type = switch (kind) {
            case REQUEST -> request;
            case RESPONSE -> response;
            case PUSH -> push;
            case FAILURE -> request == null ? null : io.duramen.protocol.frame.Failure.class;
        };
        if (type == null) {
            throw new MalformedFrameException(this + " does not occur as " + kind);
        }
        return type;
    }

    /** The frame that a request or push record is. */
    public static Api of(Class<? extends Record> requestOrPush) {
        return BY_TYPE.get(requestOrPush);
    }

    /** @throws MalformedFrameException for a number that this version does not know */
    public static Api of(int number) {
        Api api = BY_NUMBER.get(number);
        if (api == null) {
            throw new MalformedFrameException("no frame has the number " + number);
        }
        return api;
    }
}
