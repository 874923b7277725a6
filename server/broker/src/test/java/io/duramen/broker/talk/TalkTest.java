package io.duramen.broker.talk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.protocol.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two ends of a talk, and a link of which the test says what it loses. */
class TalkTest {
    private static final long SECOND = 1_000_000_000L;

    private static final class End implements Talk.Listener {
        private final ArrayDeque<TalkFrame> sent = new ArrayDeque<>();
        private final List<String> events = new ArrayList<>();
        private final Talk talk;

        End(int self, int other, long epoch) {
            talk = new Talk(self, other, epoch, this, sent::add);
        }

        void says(String... texts) {
            for (String text : texts) {
                talk.say(new Word((byte) 7, ByteBuffer.wrap(text.getBytes())));
            }
        }

        @Override
        public void met() {
            events.add("met");
        }

        @Override
        public void lost() {
            events.add("lost");
        }

        @Override
        public void heard(Word word) {
            byte[] text = new byte[word.body().remaining()];
            word.body().duplicate().get(text);
            events.add(new String(text));
        }
    }

    private final End one = new End(1, 2, 5);
    private End two = new End(2, 1, 9);
    private long nowNanos;

    private void flows() {
        for (int i = 0; i < 10; i++) {
            pass(one, two);
            pass(two, one);
        }
    }

    private void pass(End from, End to) {
        from.talk.doWork(nowNanos);
        while (!from.sent.isEmpty()) {
            to.talk.hear(from.sent.poll());
        }
    }

    private void loses(End from) {
        from.talk.doWork(nowNanos);
        from.sent.clear();
    }

    @Test
    void shouldHearInOrderWhatIsSaidOnceTheyHaveMet() {
        flows();
        one.says("a", "b");
        two.says("x");
        flows();
        one.says("c");
        flows();

        assertThat(two.events).containsExactly("met", "a", "b", "c");
        assertThat(one.events).containsExactly("met", "x");
    }

    @Test
    void shouldSayNothingBeforeTheyHaveMet() {
        one.says("too early");
        flows();

        assertThat(two.events).containsExactly("met");
    }

    @Test
    void shouldComeToRestWhenNothingIsSaid() {
        flows();

        assertThat(one.talk.doWork(nowNanos + SECOND)).isZero();
        assertThat(one.talk.deadlineNanos(nowNanos)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldMeetWhenGreetingsAreLost() {
        loses(one);
        loses(two);
        pass(one, two);
        loses(two);
        nowNanos += SECOND;
        flows();
        nowNanos += SECOND;
        flows();

        assertThat(one.events).containsExactly("met");
        assertThat(two.events).containsExactly("met");
    }

    @Test
    void shouldSayAgainWhatWasLost() {
        flows();
        one.says("a", "b");
        loses(one);
        one.says("c");
        flows();
        assertThat(two.events).containsExactly("met");

        one.talk.sendAgain();
        flows();
        assertThat(two.events).containsExactly("met", "a", "b", "c");
    }

    @Test
    void shouldHearOnceWhatComesTwice() {
        flows();
        one.says("a");
        one.talk.doWork(nowNanos);
        TalkFrame frame = one.sent.poll();
        two.talk.hear(frame);
        two.talk.hear(frame);

        assertThat(two.events).containsExactly("met", "a");
    }

    @Test
    void shouldLoseWhatWasSaidToTheLeaderBeforeWhenAnotherIsMet() {
        flows();
        one.says("a");
        loses(one);
        End before = two;
        two = new End(2, 1, 10);
        nowNanos += SECOND;
        flows();
        one.says("b");
        flows();

        assertThat(one.events).containsExactly("met", "lost", "met");
        assertThat(two.events).containsExactly("met", "b");
        before.says("from the past");
        before.talk.sendAgain();
        pass(before, one);
        assertThat(one.events).containsExactly("met", "lost", "met");
    }

    @Test
    void shouldTellWhenAllWasHeard() {
        List<String> told = new ArrayList<>();
        flows();
        one.talk.whenHeard(() -> told.add("nothing"));
        one.says("a");
        one.talk.whenHeard(() -> told.add("a"));
        pass(one, two);
        assertThat(told).containsExactly("nothing");

        pass(two, one);
        assertThat(told).containsExactly("nothing", "a");
    }

    @Test
    void shouldTellWhenTheNextLeaderIsMetWithoutAWord() {
        List<String> told = new ArrayList<>();
        flows();
        one.says("a");
        one.talk.whenHeard(() -> told.add("heard"));
        loses(one);
        two = new End(2, 1, 10);
        one.talk.hear(new TalkFrame(TalkFrame.FORMAT, 2, 1, new Voice(10, 1), new Voice(5, 1), false, 0, 1, List.of()));
        assertThat(one.events).containsExactly("met", "lost", "met");
        assertThat(told).containsExactly("heard");
    }

    @Test
    void shouldBeginAnewWhenTooMuchIsNotHeard() {
        flows();
        Word large = new Word((byte) 7, ByteBuffer.allocate(1 << 20));
        for (long bytes = 0; bytes <= Talk.UNHEARD_BYTES_MAX; bytes += 1 << 20) {
            one.talk.say(large);
        }
        loses(one);
        assertThat(one.events).containsExactly("met", "lost");

        nowNanos += SECOND;
        flows();
        one.says("b");
        flows();
        assertThat(two.events).containsExactly("met", "lost", "met", "b");
    }

    @Test
    void shouldRefuseAFrameThatHasHeardWhatWasNotSaid() {
        flows();
        TalkFrame lie = new TalkFrame(TalkFrame.FORMAT, 2, 1, new Voice(9, 1), new Voice(5, 1), true, 1, 1, List.of());

        assertThatThrownBy(() -> one.talk.hear(lie)).isInstanceOf(MalformedFrameException.class);
    }
}
