/** Which dedup ids were stored in a partition lately. */
package io.duramen.broker.dedup;
