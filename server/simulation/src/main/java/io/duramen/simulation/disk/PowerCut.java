package io.duramen.simulation.disk;

/** The machine went dark inside a blocking call. An error, so that no code of the process can go on by catching it. */
public final class PowerCut extends Error {
    PowerCut() {
        super("power cut inside a blocking call", null, false, false);
    }
}
