/**
 * A destination's messages for one group of consumers: what is settled ({@link io.duramen.broker.subscription.Cursor}),
 * what is held and what comes next ({@link io.duramen.broker.subscription.PartitionDispatch}).
 */
package io.duramen.broker.subscription;
