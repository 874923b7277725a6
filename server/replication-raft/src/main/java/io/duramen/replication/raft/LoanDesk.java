package io.duramen.replication.raft;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Answers other replicas that ask for files of those in this process; they say to whom they talk by numbers that nobody guesses. The
 * engine's message for reading files is used with a meaning of ours: with the number of a lender, {@link #BEGIN} asks for a loan by
 * the leader of the epoch that stands in {@code offset}; with the number of a loan, a name reads that file, and {@link #END} gives
 * everything back. {@link #STANDING}, a group's name, a slash and the name of who asks ask how its replica here stands, {@link #LEAVE} likewise asks the leader
 * whether it may leave to begin anew, and is answered with the epoch in which it may. {@link #LOOK} tells that what was lent is damaged, {@link #JOINED} tells that another, whose
 * place among the group's names stands in {@code offset}, has arrived. {@link #ROOM}, a group's name, a slash and the address of a replica here
 * ask whether its disk has room; the answer is a byte, 1 for yes. From any thread.
 */
final class LoanDesk {
    static final String BEGIN = "begin";
    static final String BEGIN_CONFIRMED = "begin-confirmed";
    static final String END = "end";
    static final String STANDING = "standing/";
    static final String LEAVE = "leave/";
    static final String LOOK = "look";
    static final String JOINED = "joined";
    static final String ROOM = "room/";

    private final Followers followers = new Followers();
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Lender> lenders = new ConcurrentHashMap<>();
    private final Map<String, Lender> groups = new ConcurrentHashMap<>();
    private final Map<Long, Loan> loans = new ConcurrentHashMap<>();
    private volatile BooleanSupplier mayLead = () -> true;

    /** Who lends. */
    interface Lender {
        /**
         * Completed by what is lent; fails where this replica does not lead in that epoch. From any thread.
         *
         * @param confirmed whether a majority has to confirm first that it does
         */
        CompletableFuture<Loan> begin(long epoch, boolean confirmed);

        /** What was lent is not needed any more. From any thread. */
        void givenBack(Loan loan);

        /**
         * From any thread.
         *
         * @param asker name of the node that asks
         */
        Standing standing(String asker);

        /**
         * Completed by the epoch in which this one leads and lets the other leave; fails with the reason where it does not. From any thread.
         *
         * @param asker name of the node that asks
         */
        default CompletableFuture<Long> leave(String asker) {
            return CompletableFuture.failedFuture(new IOException("this replica does not lead"));
        }

        /** What was lent turned out to be damaged. From any thread. */
        default void look() {}

        /** Another replica has what was lent in place, and takes part from here on. From any thread. */
        default void joined(int place) throws IOException {}
    }

    /**
     * How a replica stands. Immutable.
     *
     * @param epoch that it knows of
     * @param leads whether it does in that epoch, or lends as if it did
     * @param seeds whether it waits for others that have what it has
     * @param guest whether who asks is to follow first, and has never had a vote
     * @param lender under which it lends; 0 where there is none yet
     */
    record Standing(long epoch, boolean leads, boolean seeds, boolean guest, long lender) {
        private static final int LENGTH = 19;

        static final Standing NONE = new Standing(0, false, false, false, 0);

        ByteBuffer encode() {
            return ByteBuffer.allocate(LENGTH)
                    .putLong(epoch)
                    .put((byte) (leads ? 1 : 0))
                    .put((byte) (seeds ? 1 : 0))
                    .put((byte) (guest ? 1 : 0))
                    .putLong(lender)
                    .flip();
        }

        static Standing decode(ByteBuffer bytes) throws IOException {
            if (bytes.remaining() != LENGTH) {
                throw new IOException("a replica's standing of " + bytes.remaining() + " bytes");
            }
            return new Standing(bytes.getLong(), bytes.get() != 0, bytes.get() != 0, bytes.get() != 0, bytes.getLong());
        }
    }

    /** The replicas in this process. */
    Followers followers() {
        return followers;
    }

    /** Sets what tells whether any of them may lead: one that may not says that it has no room. */
    void mayLead(BooleanSupplier whether) {
        mayLead = whether;
    }

    /** Returns the number under which the lender is known from here on. */
    long open(String group, Lender lender) {
        long id = newId();
        lenders.put(id, lender);
        groups.put(group, lender);
        return id;
    }

    void close(String group, long id) {
        Lender closed = lenders.remove(id);
        if (closed != null) {
            groups.remove(group, closed);
        }
    }

    /** A number that nobody guesses. */
    long newId() {
        return random.nextLong();
    }

    /** From here on it is read from. */
    void opened(Loan loan) {
        loans.put(loan.id(), loan);
    }

    void ended(Loan loan) {
        loans.remove(loan.id());
    }

    /** Answers, maybe later and on another thread. Reads files, blocking. */
    void handle(GetFileRequest request, RpcContext context) {
        try {
            if (request.getFilename().equals(BEGIN) || request.getFilename().equals(BEGIN_CONFIRMED)) {
                begin(request, context);
                return;
            }
            if (request.getFilename().startsWith(STANDING)) {
                context.sendResponse(answer(standing(request.getFilename().substring(STANDING.length()))
                        .encode()));
                return;
            }
            if (request.getFilename().startsWith(LEAVE)) {
                leave(request.getFilename().substring(LEAVE.length()), context);
                return;
            }
            if (request.getFilename().equals(LOOK)) {
                lender(request).look();
                context.sendResponse(answer(ByteBuffer.allocate(0)));
                return;
            }
            if (request.getFilename().startsWith(ROOM)) {
                byte yes = (byte) (hasRoom(request.getFilename().substring(ROOM.length())) ? 1 : 0);
                context.sendResponse(answer(ByteBuffer.allocate(1).put(yes).flip()));
                return;
            }
            if (request.getFilename().equals(JOINED)) {
                lender(request).joined(Math.toIntExact(request.getOffset()));
                context.sendResponse(answer(ByteBuffer.allocate(0)));
                return;
            }
            Loan loan = loans.get(request.getReaderId());
            if (loan == null) {
                throw new IOException("what was lent was taken back");
            }
            if (request.getFilename().equals(END)) {
                lenders.values().forEach(lender -> lender.givenBack(loan));
                context.sendResponse(answer(ByteBuffer.allocate(0)));
            } else {
                context.sendResponse(answer(loan.read(request.getFilename(), request.getOffset(), request.getCount())));
            }
        } catch (IOException | RuntimeException e) {
            context.sendResponse(refusal(e));
        }
    }

    private Standing standing(String question) {
        Lender lender = groups.get(question.substring(0, endOfGroup(question)));
        return lender == null ? Standing.NONE : lender.standing(question.substring(endOfGroup(question) + 1));
    }

    private static int endOfGroup(String question) {
        int end = question.indexOf('/');
        if (end < 0) {
            throw new IllegalArgumentException("nobody says that he asks about a group");
        }
        return end;
    }

    private void leave(String question, RpcContext context) throws IOException {
        Lender lender = groups.get(question.substring(0, endOfGroup(question)));
        if (lender == null) {
            throw new IOException("this replica does not run");
        }
        lender.leave(question.substring(endOfGroup(question) + 1))
                .whenComplete((epoch, failure) -> context.sendResponse(
                        failure == null
                                ? answer(ByteBuffer.allocate(Long.BYTES)
                                        .putLong(epoch)
                                        .flip())
                                : refusal(failure)));
    }

    /** One that is not there, as it begins anew, has none. */
    private boolean hasRoom(String question) {
        int end = endOfGroup(question);
        return mayLead.getAsBoolean()
                && followers
                        .find(question.substring(0, end), question.substring(end + 1))
                        .filter(Followers.Follower::hasRoom)
                        .isPresent();
    }

    /** Whether that is the answer to {@link #ROOM} of one that has some. */
    static boolean isYes(GetFileResponse answer) {
        return answer.getData().size() == 1 && answer.getData().byteAt(0) == 1;
    }

    private void begin(GetFileRequest request, RpcContext context) throws IOException {
        lender(request)
                .begin(request.getOffset(), request.getFilename().equals(BEGIN_CONFIRMED))
                .whenComplete((loan, failure) -> context.sendResponse(
                        failure == null ? answer(loan.listing().encode()) : refusal(failure)));
    }

    private Lender lender(GetFileRequest request) throws IOException {
        Lender lender = lenders.get(request.getReaderId());
        if (lender == null) {
            throw new IOException("this replica leads no more");
        }
        return lender;
    }

    private static GetFileResponse answer(ByteBuffer data) {
        return GetFileResponse.newBuilder()
                .setEof(true)
                .setData(UnsafeByteOperations.unsafeWrap(data))
                .build();
    }

    private static ErrorResponse refusal(Throwable cause) {
        return ErrorResponse.newBuilder()
                .setErrorCode(RaftError.EAGAIN.getNumber())
                .setErrorMsg(String.valueOf(cause.getMessage()))
                .build();
    }
}
