/**
 * Message selectors (Jakarta Messaging 3.1, section 3.8): a text becomes a tree of conditions that is evaluated on the
 * bytes of a record, where they stand. Knows nothing of subscriptions.
 */
package io.duramen.broker.selector;
