package io.duramen.broker.transaction;

/**
 * When the group of a half message is asked, and when that is given up. Immutable; times in milliseconds.
 *
 * @param afterMillis wait before the first ask, where the sender names none
 * @param backoffMillis wait behind the first ask; doubles with each
 * @param backoffMaxMillis longest wait between two asks
 * @param asksMax how often it is asked; a group of which nobody listens is not asked
 * @param ageMaxMillis after which it is given up however often it was asked
 */
public record CheckPolicy(long afterMillis, long backoffMillis, long backoffMaxMillis, int asksMax, long ageMaxMillis) {
    private static final int DOUBLINGS_MAX = 30;

    boolean isSpent(HalfMessage half) {
        return half.asks() >= asksMax;
    }

    /** When it is due to be asked; {@link Long#MAX_VALUE} where it was asked often enough. */
    long askAtMillis(HalfMessage half) {
        return isSpent(half) ? Long.MAX_VALUE : waitUntilMillis(half);
    }

    /** When it is given up. */
    long giveUpAtMillis(HalfMessage half) {
        long age = plus(half.preparedMillis(), ageMaxMillis);
        return isSpent(half) ? Math.min(age, waitUntilMillis(half)) : age;
    }

    private long waitUntilMillis(HalfMessage half) {
        if (half.asks() == 0) {
            return plus(half.preparedMillis(), half.checkAfterMillis() > 0 ? half.checkAfterMillis() : afterMillis);
        }
        int doublings = Math.min(half.asks() - 1, DOUBLINGS_MAX);
        long wait = backoffMillis > backoffMaxMillis >> doublings ? backoffMaxMillis : backoffMillis << doublings;
        return plus(half.askedMillis(), wait);
    }

    private static long plus(long millis, long more) {
        return more > Long.MAX_VALUE - millis ? Long.MAX_VALUE : millis + more;
    }
}
