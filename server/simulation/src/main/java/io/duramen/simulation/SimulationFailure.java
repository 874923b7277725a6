package io.duramen.simulation;

/** A run went wrong; the message carries the seed that repeats it and the last lines of its trace. */
public final class SimulationFailure extends AssertionError {
    SimulationFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
