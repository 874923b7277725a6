/**
 * Simulated doors (clock, inbox, agents' threads; the disk in its own package) on one seeded scheduler: everything that
 * the broker's core can notice of the world, from a seed, in one thread and in virtual time.
 */
package io.duramen.simulation;
