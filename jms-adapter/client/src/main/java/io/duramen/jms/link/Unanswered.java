package io.duramen.jms.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Confined to the link's thread. Requests that wait for their answer, by correlation id, in the order sent. */
final class Unanswered {
    record Question(long correlation, Record request, Reply reply) {}

    private final Map<Long, Question> byCorrelation = new LinkedHashMap<>();
    private final Set<Long> waiting = new HashSet<>();
    private long lastCorrelation;

    Question add(Record request, Reply reply) {
        Question question = new Question(++lastCorrelation, request, reply);
        byCorrelation.put(question.correlation, question);
        return question;
    }

    /** @return the question that the answer belongs to; null where nobody waits for it (any more) */
    Question take(long correlation) {
        waiting.remove(correlation);
        return byCorrelation.remove(correlation);
    }

    /**
     * It stays where it is, and is not on its way until it is sent {@link #again}.
     *
     * @return null where nobody waits for it (any more)
     */
    Question waits(long correlation) {
        Question question = byCorrelation.get(correlation);
        if (question != null) {
            waiting.add(correlation);
        }
        return question;
    }

    /** @return null where it does not wait (any more) */
    Question again(long correlation) {
        return waiting.remove(correlation) ? byCorrelation.get(correlation) : null;
    }

    /** How many are on their way: those that wait are not. */
    int size() {
        return byCorrelation.size() - waiting.size();
    }

    /**
     * Drops those that their owners take care of when the link resumes, or want no answer to any more. Of the others none waits: all
     * are sent over the next connection.
     */
    void dropUnrepeated() {
        waiting.clear();
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
        waiting.clear();
        failed.forEach(question -> question.reply.failed(cause));
    }
}
