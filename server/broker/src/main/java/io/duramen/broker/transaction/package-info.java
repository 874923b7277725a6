/** Producers' sequences: what makes a retried batch or transaction happen once. */
package io.duramen.broker.transaction;
