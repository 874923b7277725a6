-- Hard state of shards, as of the log entry in shard_state.applied_index. A projection: made anew from the log when lost.
-- check_sum of a row covers all its other columns; row_count and row_sum of shard_state cover all rows of a shard.

CREATE TABLE shard_state (
    shard             INTEGER NOT NULL PRIMARY KEY,
    applied_index     BIGINT  NOT NULL,
    applied_epoch     BIGINT  NOT NULL,
    next_log_offset   BIGINT  NOT NULL,
    log_time_millis   BIGINT  NOT NULL,
    next_partition    INTEGER NOT NULL,
    next_subscription INTEGER NOT NULL,
    next_use          BIGINT  NOT NULL,
    row_count         BIGINT  NOT NULL,
    row_sum           BIGINT  NOT NULL,
    check_sum         BIGINT  NOT NULL
);

CREATE TABLE destination (
    shard       INTEGER NOT NULL,
    name        VARCHAR NOT NULL,
    kind        INTEGER NOT NULL,
    incarnation BIGINT  NOT NULL,
    partitions  BINARY VARYING NOT NULL, -- ids in their order, i32 each
    check_sum   BIGINT  NOT NULL,
    PRIMARY KEY (shard, name)
);

CREATE TABLE partition_end (
    shard             INTEGER NOT NULL,
    partition_id      INTEGER NOT NULL,
    home              INTEGER NOT NULL, -- shard that carries it
    next_offset       BIGINT  NOT NULL,
    priority_end      BIGINT  NOT NULL,
    delivery_time_end BIGINT  NOT NULL,
    expiration_end    BIGINT  NOT NULL,
    group_end         BIGINT  NOT NULL,
    next_part         BIGINT  NOT NULL,
    check_sum         BIGINT  NOT NULL,
    PRIMARY KEY (shard, partition_id)
);

CREATE TABLE subscription (
    shard           INTEGER NOT NULL,
    subscription_id INTEGER NOT NULL,
    destination     VARCHAR NOT NULL,
    client_id       VARCHAR NOT NULL,
    name            VARCHAR NOT NULL,
    kind            INTEGER NOT NULL,
    selector        VARCHAR NOT NULL,
    no_local        BOOLEAN NOT NULL,
    check_sum       BIGINT  NOT NULL,
    PRIMARY KEY (shard, subscription_id)
);

CREATE TABLE partition_cursor (
    shard           INTEGER NOT NULL,
    subscription_id INTEGER NOT NULL,
    partition_id    INTEGER NOT NULL,
    settled_below   BIGINT  NOT NULL,
    settled_beyond  BINARY LARGE OBJECT NOT NULL, -- the portable serialized form of a 64-bit Roaring bitmap
    delivery_counts BINARY LARGE OBJECT NOT NULL, -- i64 offset, i32 deliveries, i64 when last, u8 refused each
    check_sum       BIGINT  NOT NULL,
    PRIMARY KEY (shard, subscription_id, partition_id)
);

CREATE TABLE producer (
    shard              INTEGER NOT NULL,
    producer_id        BIGINT  NOT NULL,
    partition_id       INTEGER NOT NULL, -- 0 for its transactions
    epoch              INTEGER NOT NULL,
    last_base_sequence BIGINT  NOT NULL,
    last_sequence      BIGINT  NOT NULL,
    last_base_offset   BIGINT  NOT NULL,
    last_millis        BIGINT  NOT NULL,
    gaps               BINARY VARYING NOT NULL, -- i64 first, i64 last each
    use_order          BIGINT  NOT NULL,
    check_sum          BIGINT  NOT NULL,
    PRIMARY KEY (shard, producer_id, partition_id)
);

-- A large body of which parts are stored, and that no message names yet.
CREATE TABLE open_body (
    shard        INTEGER NOT NULL,
    name_high    BIGINT  NOT NULL,
    name_low     BIGINT  NOT NULL,
    partition_id INTEGER NOT NULL,
    body_length  BIGINT  NOT NULL,
    runs         BINARY LARGE OBJECT NOT NULL, -- i64 first, i32 count each
    check_sum    BIGINT  NOT NULL,
    PRIMARY KEY (shard, name_high, name_low)
);

-- Which messages need a partition's parts of large bodies.
CREATE TABLE partition_pins (
    shard        INTEGER NOT NULL,
    partition_id INTEGER NOT NULL,
    pins         BINARY LARGE OBJECT NOT NULL, -- i64 first part, i32 partition, i64 first offset, i64 last offset each
    check_sum    BIGINT  NOT NULL,
    PRIMARY KEY (shard, partition_id)
);

-- A prepared branch of a distributed transaction.
CREATE TABLE prepared_branch (
    shard           INTEGER NOT NULL,
    branch          VARCHAR NOT NULL, -- format, global id and qualifier, in hexadecimal, parted by colons
    prepared_millis BIGINT  NOT NULL,
    content         BINARY LARGE OBJECT NOT NULL, -- the log's record of what it sends and settles
    check_sum       BIGINT  NOT NULL,
    PRIMARY KEY (shard, branch)
);

-- Identities of producers, half messages: what is known as a whole by its name.
CREATE TABLE fact (
    shard     INTEGER NOT NULL,
    kind      INTEGER NOT NULL, -- as the broker numbers them
    fact_key  VARCHAR NOT NULL,
    content   BINARY LARGE OBJECT NOT NULL, -- a record in the protocol's wire form
    check_sum BIGINT  NOT NULL,
    PRIMARY KEY (shard, kind, fact_key)
);

-- The dedup ids that a partition had lately, numbered in their order; full blocks of them stand in files beside the log.
CREATE TABLE dedup_window (
    shard        INTEGER NOT NULL,
    partition_id INTEGER NOT NULL,
    first_id     BIGINT  NOT NULL,
    end_id       BIGINT  NOT NULL,
    left_out     BIGINT  NOT NULL,
    tail         BINARY LARGE OBJECT NOT NULL, -- i64, i64 key, i32 seconds each
    check_sum    BIGINT  NOT NULL,
    PRIMARY KEY (shard, partition_id)
);

-- What the log has no records of yet. The columns say what such a record will hold.

CREATE TABLE user_account (
    shard         INTEGER NOT NULL,
    name          VARCHAR NOT NULL,
    password_hash VARCHAR NOT NULL,
    check_sum     BIGINT  NOT NULL,
    PRIMARY KEY (shard, name)
);

CREATE TABLE user_right (
    shard       INTEGER NOT NULL,
    user_name   VARCHAR NOT NULL,
    destination VARCHAR NOT NULL, -- name or pattern
    operation   VARCHAR NOT NULL,
    check_sum   BIGINT  NOT NULL,
    PRIMARY KEY (shard, user_name, destination, operation)
);
