package io.duramen.replication.raft;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What replicas say to each other, by the numbers that stand for it on the wire. A number is never used for another. */
enum PeerMessage {
    PING(1, PingRequest.getDefaultInstance()),
    ERROR(2, ErrorResponse.getDefaultInstance()),
    APPEND(3, AppendEntriesRequest.getDefaultInstance()),
    APPENDED(4, AppendEntriesResponse.getDefaultInstance()),
    ASK_VOTE(5, RequestVoteRequest.getDefaultInstance()),
    VOTE(6, RequestVoteResponse.getDefaultInstance()),
    LEAD_NOW(7, TimeoutNowRequest.getDefaultInstance()),
    LEADING_NOW(8, TimeoutNowResponse.getDefaultInstance()),
    READ_INDEX(9, ReadIndexRequest.getDefaultInstance()),
    INDEX_READ(10, ReadIndexResponse.getDefaultInstance()),
    BEGIN_ANEW(11, InstallSnapshotRequest.getDefaultInstance()),
    BEGUN_ANEW(12, InstallSnapshotResponse.getDefaultInstance()),
    READ_FILE(13, GetFileRequest.getDefaultInstance()),
    FILE_READ(14, GetFileResponse.getDefaultInstance());

    private static final Map<Class<?>, PeerMessage> BY_CLASS = new HashMap<>();

    static {
        for (PeerMessage message : values()) {
            BY_CLASS.put(message.sample.getClass(), message);
        }
    }

    private final int number;
    private final Message sample;
    private final Parser<? extends Message> parser;

    PeerMessage(int number, Message sample) {
        this.number = number;
        this.sample = sample;
        this.parser = sample.getParserForType();
    }

    byte number() {
        return (byte) number;
    }

    static Optional<PeerMessage> of(Object message) {
        return Optional.ofNullable(BY_CLASS.get(message.getClass()));
    }

    /**
     * @throws IllegalArgumentException where the number stands for nothing
     */
    static PeerMessage of(byte number) {
        if (number < 1 || number > values().length) {
            throw new IllegalArgumentException("a message of number " + number);
        }
        return values()[number - 1];
    }

    /**
     * @throws IllegalArgumentException where the bytes are not such a message
     */
    Message parse(byte[] bytes) {
        try {
            return parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a message " + this + " that is none: " + e.getMessage(), e);
        }
    }
}
