package io.duramen.jms.delivery;

/**
 * Any thread. How much is sent ahead, and how long settlements that nobody waits for are gathered.
 *
 * @param prefetch messages sent ahead; 0 for one on demand
 * @param prefetchBytes bytes sent ahead
 * @param gather settlements that make a frame at the latest
 * @param settleWhenIdle whether a frame is also made as soon as nothing more waits to be delivered
 */
public record Flow(int prefetch, int prefetchBytes, int gather, boolean settleWhenIdle) {}
