package io.duramen.jms.link;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Confined to the link's thread. Requests that wait for their answer, by correlation id, in the order sent. */
final class Unanswered {
    record Question(long correlation, Record request, Reply reply) {}

    private final Map<Long, Question> byCorrelation = new LinkedHashMap<>();
    private long lastCorrelation;

    Question add(Record request, Reply reply) {
        Question question = new Question(++lastCorrelation, request, reply);
        byCorrelation.put(question.correlation, question);
        return question;
    }

    /** @return the question that the answer belongs to; null where nobody waits for it (any more) */
    Question take(long correlation) {
        return byCorrelation.remove(correlation);
    }

    int size() {
        return byCorrelation.size();
    }

    /** Drops those that their owners take care of when the link resumes, or want no answer to any more. */
    void dropUnrepeated() {
        for (Iterator<Question> each = byCorrelation.values().iterator(); each.hasNext(); ) {
            if (!each.next().reply.sentAgain()) {
                each.remove();
            }
        }
    }

    List<Question> all() {
        return new ArrayList<>(byCorrelation.values());
    }

    void failAll(RuntimeException cause) {
        List<Question> failed = all();
        byCorrelation.clear();
        failed.forEach(question -> question.reply.failed(cause));
    }
}
