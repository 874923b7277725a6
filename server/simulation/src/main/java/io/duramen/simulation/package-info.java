/**
 * Simulated doors (clock, inbox, agents' threads; the disk in its own package) on one seeded scheduler: everything that
 * the broker's core can notice of the world, from a seed, in one thread and in virtual time.
 *
 * <p>The tests of this module run some hundred seeds. {@code mvn -Psimulation -pl server/simulation -am verify} runs
 * 20,000; {@code -Dsimulation.seeds=N} and {@code -Dsimulation.first=N} choose others, {@code -Dsimulation.seed=N} runs
 * the one that a failure named, and {@code -Dsimulation.trace-lines=N} shows more of what led to it.
 */
package io.duramen.simulation;
