package io.duramen.broker.dedup;

/**
 * A dedup key with its {@link KeyHash}, worked out once for all who look for it. Immutable; good in the process that made it
 * alone, since the secret is another after each start.
 *
 * @param hashed under the secret
 */
public record HashedKey(long high, long low, long hashed) {
    /** Keys come from clients, who could crowd a map as well. */
    @Override
    public int hashCode() {
        return Long.hashCode(hashed);
    }
}
