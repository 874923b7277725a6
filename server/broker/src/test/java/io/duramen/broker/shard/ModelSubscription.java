package io.duramen.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.broker.subscription.Cursor;
import io.duramen.protocol.frame.Settle.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a subscription of one partition does, said plainly: every message is available, held by one consumer, or settled;
 * always the lowest one available is handed out next.
 */
final class ModelSubscription {
    private static final int NOBODY = 0;

    private static final class Message {
        long expiresMillis;
        boolean settled;
        int holder = NOBODY;
        long number;
        int count;
    }

    private static final class Member {
        long credit;
        long delivered;
        int leases;
        boolean left;
    }

    private final int leasesMax;
    private final List<Message> messages = new ArrayList<>();
    private final Map<Integer, Member> members = new HashMap<>();
    private final TreeSet<Long> available = new TreeSet<>();

    ModelSubscription(int leasesMax) {
        this.leasesMax = leasesMax;
    }

    int messages() {
        return messages.size();
    }

    void published(long expiresMillis) {
        Message message = new Message();
        message.expiresMillis = expiresMillis;
        available.add((long) messages.size());
        messages.add(message);
    }

    void attached(int member) {
        members.put(member, new Member());
    }

    void granted(int member, int credit) {
        members.get(member).credit += credit;
    }

    void drained(int member) {
        members.get(member).credit = 0;
    }

    long deliveredTo(int member) {
        return members.get(member).delivered;
    }

    List<Long> heldBy(int member) {
        List<Long> held = new ArrayList<>();
        for (int offset = 0; offset < messages.size(); offset++) {
            if (messages.get(offset).holder == member) {
                held.add((long) offset);
            }
        }
        return held;
    }

    /** Whether its time is over while nobody holds it: it is dropped when its turn comes, if it has not come yet. */
    boolean mayBeDropped(long offset, long nowMillis) {
        Message message = offset < messages.size() ? messages.get((int) offset) : new Message();
        return isExpired(message, nowMillis) && !message.settled && message.holder == NOBODY;
    }

    private boolean isExpired(Message message, long nowMillis) {
        return message.expiresMillis != 0 && message.expiresMillis <= nowMillis;
    }

    /** Checks a delivery that was seen. */
    void delivered(int member, long offset, int count, long nowMillis) {
        available.removeIf(lower -> lower < offset && isExpired(messages.get(lower.intValue()), nowMillis));
        Message message = messages.get((int) offset);
        Member to = members.get(member);
        assertThat(available).as("next in turn, to " + member).startsWith(offset);
        assertThat(isExpired(message, nowMillis)).as("expired " + offset).isFalse();
        assertThat(message.count + 1).as("deliveries of " + offset).isEqualTo(count);
        assertThat(to.left).isFalse();
        assertThat(to.credit).as("credit of " + member).isPositive();
        assertThat(to.leases).as("leases of " + member).isLessThan(leasesMax);
        to.credit--;
        hold(member, offset, ++to.delivered);
    }

    private void hold(int member, long offset, long number) {
        Message message = messages.get((int) offset);
        available.remove(offset);
        message.holder = member;
        message.number = number;
        members.get(member).leases++;
    }

    /** Whether a message may be held again by one who held it before. */
    boolean reclaims(int member, long offset) {
        if (!isAvailable(offset)) {
            return false;
        }
        hold(member, offset, 0);
        return true;
    }

    /** Whether a settlement should take effect; it does in the model then. */
    boolean settles(int member, long offset, Outcome outcome) {
        boolean held = offset < messages.size() && messages.get((int) offset).holder == member;
        if (outcome == Outcome.RELEASED) {
            if (held) {
                release((int) offset);
            }
            return true;
        }
        if (!held && !isAvailable(offset)) {
            return false;
        }
        if (held) {
            release((int) offset);
        }
        if (outcome == Outcome.ACCEPTED) {
            available.remove(offset);
            messages.get((int) offset).settled = true;
        } else {
            messages.get((int) offset).count++;
        }
        return true;
    }

    boolean isAvailable(long offset) {
        return available.contains(offset);
    }

    private void release(int offset) {
        Message message = messages.get(offset);
        members.get(message.holder).leases--;
        message.holder = NOBODY;
        available.add((long) offset);
    }

    void leaves(int member, long seen, boolean keepsSeen) {
        Member leaving = members.get(member);
        leaving.left = true;
        leaving.credit = 0;
        for (int offset = 0; offset < messages.size(); offset++) {
            Message message = messages.get(offset);
            if (message.holder == member && (message.number > seen || !keepsSeen)) {
                message.count += message.number <= seen ? 1 : 0;
                release(offset);
            }
        }
    }

    /** It is gone without a word: the first that it was handed may have been seen, unless it would have said so. */
    void vanishes(int member) {
        for (Message message : messages) {
            if (message.holder == member && message.number == 1 && message.count == 0) {
                message.count++;
            }
        }
        leaves(member, 0, false);
    }

    /** Who held what is forgotten. */
    void restarts() {
        for (int offset = 0; offset < messages.size(); offset++) {
            if (messages.get(offset).holder != NOBODY) {
                release(offset);
            }
        }
        members.clear();
    }

    /** Nobody who could take a message goes without while there is one. */
    void assertNothingIsStuck(long nowMillis) {
        available.removeIf(offset -> isExpired(messages.get(offset.intValue()), nowMillis));
        members.forEach((id, member) -> {
            if (member.credit > 0 && member.leases < leasesMax) {
                assertThat(available).as("consumer " + id + " waits").isEmpty();
            }
        });
    }

    void assertAgrees(Cursor cursor) {
        for (int offset = 0; offset < messages.size(); offset++) {
            Message message = messages.get(offset);
            boolean mayBeGone = message.holder == NOBODY && !available.contains((long) offset);
            if (!mayBeGone || message.settled) {
                assertThat(cursor.isSettled(offset)).as("settled " + offset).isEqualTo(message.settled);
                assertThat(cursor.deliveries(offset))
                        .as("deliveries of " + offset)
                        .isEqualTo(message.settled ? 0 : message.count);
            }
        }
    }
}
