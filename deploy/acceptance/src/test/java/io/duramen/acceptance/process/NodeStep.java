package io.duramen.acceptance.process;

/**
 * Moments of a transaction over shards in the node, in their order, each the beginning of a method of it. The node may die at
 * any of them.
 */
public enum NodeStep {
    /** The coordinator is asked, and has asked nobody. */
    ASKED("SpanningDecisions", "begin"),
    /** Another shard is asked for its part. */
    PART_ASKED("PartDecisions", "prepare"),
    /** A part is on disk, and the coordinator is told. */
    VOTED("SpanningDecisions", "voted"),
    /** All parts are on disk, and the coordinator has decided nothing. */
    DECIDING("SpanningDecisions", "decide"),
    /** What was decided is on disk, and the client has not been answered. */
    ANSWERING("SpanningDecisions", "succeed"),
    /** The manager says how its branch ends. */
    ENDING("BranchDecisions", "end"),
    /** The end is on disk in the coordinator, and the others have not been told. */
    TELLING("SpanningDecisions", "end"),
    /** A part is told how it ends. */
    PART_TOLD("PartDecisions", "finish"),
    /** What ends a part is decided, and not appended yet: it may wait for company. */
    PART_ENDING("PartDecisions", "tellWhenFinished"),
    /** A part has ended, and the coordinator is told. */
    PART_ENDED("SpanningDecisions", "finished");

    private static final String PACKAGE = "io.duramen.broker.shard.";

    private final String type;
    private final String method;

    NodeStep(String type, String method) {
        this.type = type;
        this.method = method;
    }

    String type() {
        return PACKAGE + type;
    }

    String method() {
        return method;
    }
}
