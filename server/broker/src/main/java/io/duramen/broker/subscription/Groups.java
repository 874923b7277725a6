package io.duramen.broker.subscription;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who gets the messages of which group, for one partition and subscription: one consumer at a time. A group changes
 * hands only while nothing of it is in anyone's. Soft state of the leader; confined to the shard's agent.
 */
final class Groups {
    /** Most groups that are looked at to find some that can be forgotten. */
    private static final int FORGET_LOOK_MAX = 8;

    /** A group of which something was seen lately. */
    static final class Group {
        private Consumer owner;
        /** Who is to have it once nothing of it is in hand; null where that is open. */
        private Consumer heir;
        /** Whether the owner gets no more of it. */
        private boolean moving;

        private int inHand;

        /** Messages that wait for their next delivery: none of the group is handed out until then. */
        private int waiting;

        /** Whether messages are set aside until nothing of it is in hand. */
        private boolean awaited;

        /** The one consumer that may have its messages now; null where nobody may, or anybody. */
        Consumer owner() {
            return moving || waiting > 0 ? null : owner;
        }

        /** Whether it may be given to another consumer now. */
        boolean isFree() {
            return inHand == 0 && waiting == 0;
        }

        void await() {
            awaited = true;
        }
    }

    private final PartitionDispatch dispatch;
    private final int max;
    private final LinkedHashMap<Integer, Group> groups = new LinkedHashMap<>(16, 0.75f, true);

    /** @param max groups that are remembered though nothing of them is in hand, and nothing waits for their owners */
    Groups(PartitionDispatch dispatch, int max) {
        this.dispatch = dispatch;
        this.max = max;
    }

    int size() {
        return groups.size();
    }

    /** @param hash of the group; two groups with the same hash are one */
    Group of(int hash) {
        Group group = groups.get(hash);
        if (group == null) {
            if (groups.size() >= max) {
                forgetSome();
            }
            group = new Group();
            groups.put(hash, group);
        }
        return group;
    }

    private void forgetSome() {
        for (int i = 0; i < FORGET_LOOK_MAX && groups.size() >= max; i++) {
            Map.Entry<Integer, Group> eldest = groups.entrySet().iterator().next();
            int hash = eldest.getKey();
            Group group = eldest.getValue();
            if (mayForget(group)) {
                groups.remove(hash);
                takeAway(group);
            } else {
                groups.get(hash); // others are looked at first the next time
            }
        }
    }

    /**
     * Not while messages wait for its owner: they would be anyone's again, and to find them an owner another group would be
     * forgotten whose messages wait, and so on without end.
     */
    private boolean mayForget(Group group) {
        return group.isFree() && !group.awaited && (group.owner == null || !dispatch.keepsFor(group.owner));
    }

    /**
     * Gives a free group to a consumer.
     *
     * @return whether messages that were set aside for its owner so far are ready again
     */
    boolean give(Group group, Consumer to) {
        if (group.owner == to && !group.moving) {
            return false;
        }
        boolean offered = takeAway(group);
        group.owner = to;
        to.groupGiven();
        return offered;
    }

    /** Takes a free group from its owner. */
    private boolean takeAway(Group group) {
        Consumer owner = group.owner;
        if (owner == null) {
            return false;
        }
        if (!group.moving) {
            owner.groupTaken();
        } else if (group.heir != null) {
            group.heir.groupTaken();
        }
        group.owner = null;
        group.heir = null;
        group.moving = false;
        return dispatch.offerSetAside(owner);
    }

    /** Gives a group to another consumer, or to none yet: at once, or when nothing of it is in hand any more. */
    private void move(Group group, Consumer heir) {
        if (group.inHand == 0) {
            takeAway(group);
            if (heir != null) {
                give(group, heir);
            }
            return;
        }
        if (!group.moving) {
            group.owner.groupTaken();
        } else if (group.heir != null) {
            group.heir.groupTaken();
        }
        group.moving = true;
        group.heir = heir;
        if (heir != null) {
            heir.groupGiven();
        }
        dispatch.offerSetAside(group.owner);
    }

    /** A message of the group waits for its next delivery. */
    void pause(int hash) {
        of(hash).waiting++;
    }

    /** It waits no longer. */
    void resume(int hash) {
        Group group = of(hash);
        if (--group.waiting == 0) {
            unblock(group);
        }
    }

    private void unblock(Group group) {
        if (group.awaited) {
            group.awaited = false;
            dispatch.unblock();
        }
    }

    /** A message of the group went to its owner. */
    void taken(int hash) {
        of(hash).inHand++;
    }

    /** A consumer has a message of the group that it brought with it from before it lost its connection. */
    void adopt(int hash, Consumer consumer) {
        Group group = of(hash);
        if (group.inHand == 0) {
            give(group, consumer);
        } else if (group.owner != consumer) {
            move(group, null);
        }
        group.inHand++;
    }

    /** A message of the group is in hand no more. */
    void letGo(int hash) {
        Group group = of(hash);
        group.inHand--;
        if (group.inHand > 0) {
            return;
        }
        if (group.moving) {
            Consumer heir = group.heir;
            group.heir = null;
            group.owner = null;
            group.moving = false;
            if (heir != null && !heir.isDetached()) {
                group.owner = heir;
            } else if (heir != null) {
                heir.groupTaken();
            }
        }
        unblock(group);
    }

    /** A consumer left, or does nothing with what it has: its groups go to others. */
    void moveFrom(Consumer consumer) {
        for (Group group : groups.values()) {
            if (group.owner == consumer && !group.moving || group.moving && group.heir == consumer) {
                move(group, null);
            }
        }
    }

    /** A consumer joined the audience: it gets its share of the groups. */
    void spread(Audience audience, Consumer joined) {
        int all = 0;
        for (Consumer consumer : audience.consumers()) {
            all += consumer.groups();
        }
        int share = all / audience.consumers().size();
        for (Group group : groups.values()) {
            if (joined.groups() >= share) {
                return;
            }
            Consumer owner = group.owner();
            if (owner != null && owner.audience() == audience && owner.groups() > share) {
                move(group, joined);
            }
        }
    }
}
