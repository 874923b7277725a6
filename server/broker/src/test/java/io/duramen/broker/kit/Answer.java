package io.duramen.broker.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.protocol.ErrorCode;
import io.duramen.protocol.Frame;
import io.duramen.protocol.frame.Failure;

/** What a client was told about one request, as soon as it was. */
public final class Answer {
    private Frame frame;

    void arrived(Frame answer) {
        if (frame != null) {
            throw new AssertionError("a second answer to one request: " + answer);
        }
        frame = answer;
    }

    public boolean isThere() {
        return frame != null;
    }

    public Answer isMissing() {
        assertThat(frame).isNull();
        return this;
    }

    public Answer isSuccess() {
        assertThat(frame).as("the answer").isNotNull();
        assertThat(frame.kind()).as(frame.toString()).isEqualTo(Frame.Kind.RESPONSE);
        return this;
    }

    /** Whether it is no refusal. */
    public boolean hasSucceeded() {
        return frame != null && frame.kind() == Frame.Kind.RESPONSE;
    }

    /** Why it was refused. */
    public Failure failure() {
        assertThat(frame).as("the answer").isNotNull();
        assertThat(frame.kind()).as(frame.toString()).isEqualTo(Frame.Kind.FAILURE);
        return (Failure) frame.payload();
    }

    public Answer isRefusedWith(ErrorCode code) {
        assertThat(ErrorCode.of(failure().code())).as(frame.toString()).isEqualTo(code);
        return this;
    }

    public <T extends Record> T response(Class<T> type) {
        isSuccess();
        return type.cast(frame.payload());
    }
}
