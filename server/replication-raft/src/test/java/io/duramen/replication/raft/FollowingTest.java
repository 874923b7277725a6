package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a replica that follows believes of its leader. */
class FollowingTest {
    private final Mailbox mailbox = new Mailbox();
    private final Following following = new Following(mailbox, null, () -> 5);

    @Test
    void shouldKnowTheLatestEntryBehindWhichItsLeaderGoesOn() {
        following.goesOnBehind(100, 5);
        following.goesOnBehind(70, 6);

        assertThat(following.isFurtherThan(99)).isTrue();
        assertThat(following.isFurtherThan(100)).isFalse();
    }

    /** Goal: what was appended in vain by a leader that was deposed says nothing of the one that leads. */
    @Test
    void shouldNotBelieveALeaderThatIsNoneAnyMore() {
        following.goesOnBehind(100, 4);

        assertThat(following.isFurtherThan(0)).isFalse();
    }

    @Test
    void shouldSayThatItHasNothingOnceItEnds() {
        mailbox.close();

        assertThat(following.has(1, 5)).isCompletedWithValue(false);
    }
}
