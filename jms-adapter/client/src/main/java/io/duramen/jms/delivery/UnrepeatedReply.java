package io.duramen.jms.delivery;

import io.duramen.jms.link.Reply;
import java.util.function.Consumer;

/** On the link's thread. The answer to a request that the link does not repeat, since its feed makes it anew. */
final class UnrepeatedReply implements Reply {
    private final Consumer<Record> onAnswer;
    private final Consumer<RuntimeException> onFailure;

    UnrepeatedReply(Consumer<Record> onAnswer, Consumer<RuntimeException> onFailure) {
        this.onAnswer = onAnswer;
        this.onFailure = onFailure;
    }

    @Override
    public void answered(Record response) {
        onAnswer.accept(response);
    }

    @Override
    public void failed(RuntimeException cause) {
        onFailure.accept(cause);
    }

    @Override
    public boolean sentAgain() {
        return false;
    }
}
