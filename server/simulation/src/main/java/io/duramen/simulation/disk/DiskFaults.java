package io.duramen.simulation.disk;

/** What is wrong with a medium at present. Confined to the simulation; changed at any time by whoever plans the faults. */
public final class DiskFaults {
    private int slowness = 1;
    private long quotaBytes = Long.MAX_VALUE;
    private long operationsUntilFailure = Long.MAX_VALUE;
    private long callsUntilPowerCut = Long.MAX_VALUE;
    private long failures;

    /** Every operation takes that many times as long; 1 is normal. */
    public void slowBy(int factor) {
        slowness = factor;
    }

    /** Files may hold that many bytes together; {@link Long#MAX_VALUE} for no limit. */
    public void quota(long bytes) {
        quotaBytes = bytes;
    }

    /** The {@code n}-th background operation from now (1 is the next) fails, whatever it is; those after it do not. */
    public void failOperation(long n) {
        operationsUntilFailure = n;
    }

    /** The {@code n}-th blocking call from now (1 is the next) meets a power cut: it throws {@link PowerCut}. */
    public void cutPowerInCall(long n) {
        callsUntilPowerCut = n;
    }

    /** Ends all of them. */
    public void clear() {
        slowness = 1;
        quotaBytes = Long.MAX_VALUE;
        operationsUntilFailure = Long.MAX_VALUE;
        callsUntilPowerCut = Long.MAX_VALUE;
    }

    /** Operations that failed so far by {@link #failOperation}. */
    public long failures() {
        return failures;
    }

    int slowness() {
        return slowness;
    }

    long quotaBytes() {
        return quotaBytes;
    }

    boolean operationFails() {
        return operationsUntilFailure != Long.MAX_VALUE && --operationsUntilFailure <= 0 && disarmOperation();
    }

    boolean callMeetsPowerCut() {
        return callsUntilPowerCut != Long.MAX_VALUE && --callsUntilPowerCut <= 0 && disarmCall();
    }

    private boolean disarmOperation() {
        operationsUntilFailure = Long.MAX_VALUE;
        failures++;
        return true;
    }

    private boolean disarmCall() {
        callsUntilPowerCut = Long.MAX_VALUE;
        return true;
    }
}
