package io.duramen.broker.talk;

import io.duramen.protocol.MalformedFrameException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One shard's talk with one other, or with a node's clients. A talk is between two {@link Voice voices}; with another voice of either side another one begins,
 * and what was said in the one before is heard no more. Within one, each word is heard once, in order, however often frames are
 * lost, repeated or late. Confined to one thread, of a shard the agent's; all of it is soft.
 */
public final class Talk {
    /** Told between two words. None of its methods may be left by an exception. */
    public interface Listener {
        /** The other one knows this voice, and this one its: words may be said, and will be heard unless it is lost first. */
        void met();

        /** Nothing that was said since it was met is heard any more, and nothing else of it comes. */
        void lost();

        void heard(Word word);
    }

    /** Words are put together into one frame up to so many bytes; a longer one has a frame of its own. */
    static final int FRAME_BYTES = 64 * 1024;

    /** More than this unheard ends the talk: who would hear is not there. */
    static final long UNHEARD_BYTES_MAX = 64L << 20;

    private static final long PAUSE_NANOS = 100_000_000L;
    private static final long PAUSE_NANOS_MAX = 1_600_000_000L;

    private record Said(long number, Word word) {}

    private record Waiting(long number, Runnable then) {}

    private final int self;
    private final int other;
    private final Listener listener;
    private final Consumer<TalkFrame> out;

    private Voice voice;
    private Voice heardVoice = Voice.NONE;
    private boolean met;

    /** How often it was met. */
    private long meetings;

    private long lastSaid;
    private long lastSent;
    private long lastHeardByOther;
    private long lastHeard;
    private final ArrayDeque<Said> unheard = new ArrayDeque<>();
    private long unheardBytes;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** Whether the other one is to be told how far it was heard, or which voice this is. */
    private boolean owing = true;

    /** Whether the first unheard word was sent again, so that others behind it may have been lost as well. */
    private boolean recovering;

    /** When what is unheard is sent again; {@link Long#MIN_VALUE} for never. */
    private long againNanos = Long.MIN_VALUE;

    private long pauseNanos = PAUSE_NANOS;

    /**
     * @param self number of this end
     * @param other number of the other end
     * @param epoch of this one's leadership, higher than all that this end had before
     * @param out takes frames for the other end, any of which may be lost
     */
    public Talk(int self, int other, long epoch, Listener listener, Consumer<TalkFrame> out) {
        this.self = self;
        this.other = other;
        this.listener = listener;
        this.out = out;
        this.voice = Voice.of(epoch);
    }

    public boolean isMet() {
        return met;
    }

    public long meetings() {
        return meetings;
    }

    /** Says a word behind all others; nothing where the other one was not met. It leaves with the next {@link #doWork}. */
    public void say(Word word) {
        if (met) {
            unheard.add(new Said(++lastSaid, word));
            unheardBytes += word.lengthBytes();
        }
    }

    /**
     * Runs something once the other one has heard all that was said so far, at once where it has. Where it is lost first, once what was said to
     * it when it was met again has been heard.
     */
    public void whenHeard(Runnable then) {
        if (met && lastHeardByOther == lastSaid) {
            then.run();
        } else {
            waiting.add(new Waiting(lastSaid, then));
        }
    }

    // ---- frames ----------------------------------------------------------------------------------------------------

    /** @throws MalformedFrameException where a frame says what cannot be; nothing of it was heard */
    public void hear(TalkFrame frame) {
        int order = frame.speaker().compareTo(heardVoice);
        if (order < 0 || frame.listener().compareTo(voice) > 0) {
            return; // Who says this was succeeded, or this one was.
        }
        if (order > 0) {
            lose();
            heardVoice = frame.speaker();
        }
        if (!frame.listener().equals(voice)) {
            owing = true;
            return;
        }
        if (frame.heard() > lastSaid) {
            throw new MalformedFrameException(
                    "shard " + other + " has heard " + frame.heard() + " words of " + lastSaid);
        }
        owing |= !frame.met() || !frame.words().isEmpty();
        if (!met) {
            meet();
        }
        wasHeard(frame.heard());
        hear(frame.first(), frame.words());
    }

    private void meet() {
        met = true;
        meetings++;
        owing = true;
        pauseNanos = PAUSE_NANOS;
        againNanos = Long.MIN_VALUE;
        listener.met();
        // Whoever waited when the last one was lost waits for what was said just now.
        List<Waiting> before = List.copyOf(waiting);
        waiting.clear();
        before.forEach(one -> whenHeard(one.then));
    }

    private void wasHeard(long number) {
        if (number <= lastHeardByOther) {
            return;
        }
        lastHeardByOther = number;
        lastSent = recovering ? number : Math.max(lastSent, number);
        recovering = false;
        pauseNanos = PAUSE_NANOS;
        againNanos = Long.MIN_VALUE;
        while (!unheard.isEmpty() && unheard.peek().number <= number) {
            unheardBytes -= unheard.poll().word.lengthBytes();
        }
        while (!waiting.isEmpty() && waiting.peek().number <= number) {
            waiting.poll().then.run();
        }
    }

    private void hear(long first, List<Word> words) {
        for (int i = 0; i < words.size(); i++) {
            if (first + i == lastHeard + 1) {
                lastHeard++;
                listener.heard(words.get(i));
            }
        }
    }

    // ---- beginning and ending --------------------------------------------------------------------------------------

    /** Ends the talk, and has another begin. */
    public void beginAnew() {
        lose();
        voice = voice.next();
        owing = true;
    }

    private void lose() {
        boolean was = met;
        met = false;
        lastSaid = 0;
        lastSent = 0;
        lastHeardByOther = 0;
        recovering = false;
        lastHeard = 0;
        unheard.clear();
        unheardBytes = 0;
        againNanos = Long.MIN_VALUE;
        pauseNanos = PAUSE_NANOS;
        if (was) {
            listener.lost();
        }
    }

    // ---- the way out -----------------------------------------------------------------------------------------------

    /** Sends what is to be sent by now. */
    public int doWork(long nowNanos) {
        if (unheardBytes > UNHEARD_BYTES_MAX) {
            beginAnew();
        }
        int frames = sendUnsent();
        if (againNanos != Long.MIN_VALUE && nowNanos - againNanos >= 0) {
            againNanos = Long.MIN_VALUE;
            pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * pauseNanos);
            frames += sendFirst();
        }
        if (owing) {
            send(lastSent + 1, List.of());
            frames++;
        }
        if (againNanos == Long.MIN_VALUE && (!met || !unheard.isEmpty())) {
            againNanos = nowNanos + pauseNanos;
        }
        return frames;
    }

    private int sendUnsent() {
        int frames = 0;
        Iterator<Said> rest = unheard.iterator();
        while (lastSent < lastSaid) {
            long first = lastSent + 1;
            send(first, frameful(rest));
            frames++;
        }
        return frames;
    }

    /** The next words that were not sent, as many as go into a frame; they are sent from here on. */
    private List<Word> frameful(Iterator<Said> rest) {
        List<Word> words = new ArrayList<>();
        int bytes = 0;
        while (lastSent < lastSaid && bytes < FRAME_BYTES) {
            Said next = rest.next();
            if (next.number > lastSent) {
                words.add(next.word);
                bytes += next.word.lengthBytes();
                lastSent = next.number;
            }
        }
        return words;
    }

    /** What the other one has not heard, or not answered, for long: as little of it as tells whether it is there. */
    private int sendFirst() {
        owing |= !met;
        if (unheard.isEmpty()) {
            return 0;
        }
        recovering = true;
        send(unheard.peek().number, List.of(unheard.peek().word));
        return 1;
    }

    private void send(long first, List<Word> words) {
        owing = false;
        out.accept(new TalkFrame(TalkFrame.FORMAT, self, other, voice, heardVoice, met, lastHeard, first, words));
    }

    /** There is another connection to the other one: what it has not heard is sent again at once. */
    public void sendAgain() {
        lastSent = lastHeardByOther;
        owing |= !met;
        pauseNanos = PAUSE_NANOS;
        againNanos = Long.MIN_VALUE;
    }

    /** When it has something to send, on the clock of {@link #doWork}; {@code nowNanos} where that is at once. */
    long deadlineNanos(long nowNanos) {
        if (owing || lastSent < lastSaid) {
            return nowNanos;
        }
        return againNanos == Long.MIN_VALUE ? (met && unheard.isEmpty() ? Long.MAX_VALUE : nowNanos) : againNanos;
    }
}
