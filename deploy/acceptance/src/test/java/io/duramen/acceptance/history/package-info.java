/**
 * What clients did and saw while a server was killed under them, and what must hold of it. Pure: no clock, no JMS, no
 * process; times are handed in as nanoseconds of one monotonic clock.
 */
package io.duramen.acceptance.history;
