package io.duramen.jms.session;

import io.duramen.jms.link.LinkOptions;

/**
 * Any thread. What a factory tells each connection it makes.
 *
 * @param clientId empty where the application may set one
 * @param prefetch messages sent ahead to a consumer; 0 for none
 * @param prefetchBytes bytes sent ahead to a consumer
 * @param batchBytes at which a batch of sends is full
 * @param sendWindowBytes of one session that may be on their way
 */
public record ConnectionSettings(
        LinkOptions link, String clientId, int prefetch, int prefetchBytes, int batchBytes, long sendWindowBytes) {}
