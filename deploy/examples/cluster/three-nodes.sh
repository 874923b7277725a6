#!/bin/sh
# Three nodes of a cluster on this machine, in directories below the present one:
#
#   three-nodes.sh start         starts them, and prints the URL for clients
#   three-nodes.sh status        who leads, and how far the others are
#   three-nodes.sh kill          kill -9 of the node that leads
#   three-nodes.sh heal          starts every node that does not run
#   three-nodes.sh stop          ends them in order
#   three-nodes.sh demo [TIMES]  all of that: orders flow while the leader is killed and healed so many times (default 3)
#
# Environment: THREE_NODES_PORT is the first of six ports (default 7701), THREE_NODES_DIR where the directories go
# (default ./three-nodes).
set -eu

home=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
directory=${THREE_NODES_DIR:-./three-nodes}
port=${THREE_NODES_PORT:-7701}
nodes=n1@127.0.0.1:$((port + 3)),n2@127.0.0.1:$((port + 4)),n3@127.0.0.1:$((port + 5))
url=duramen://127.0.0.1:$port,127.0.0.1:$((port + 1)),127.0.0.1:$((port + 2))
patience=60

tell() {
    printf '%s %s\n' "$(date +%H:%M:%S)" "$1"
}

fail() {
    tell "$1" >&2
    exit 1
}

pid_of() {
    cut -d ' ' -f 1 "$directory/$1/node.pid" 2>/dev/null || true
}

runs() {
    pid=$(pid_of "$1")
    [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null
}

ask() {
    node=$1
    shift
    "$home/bin/duramen" --data "$directory/$node" "$@"
}

start_node() {
    mkdir -p "$directory"
    number=${1#n}
    DURAMEN_HEAP=${DURAMEN_HEAP:-256m} "$home/bin/duramen" start --data "$directory/$1" --port $((port + number - 1)) \
        -D node.name="$1" -D cluster.id=three-nodes -D cluster.nodes="$nodes" >>"$directory/$1.out" 2>&1 &
}

# Name of the node that leads, once there is one that leads and runs.
leader() {
    left=$patience
    while [ "$left" -gt 0 ]; do
        for node in n1 n2 n3; do
            if runs "$node" && ask "$node" cluster 2>/dev/null | grep -q 'LEADING'; then
                echo "$node"
                return
            fi
        done
        left=$((left - 1))
        sleep 1
    done
    tail -n 5 "$directory"/n1.out "$directory"/n2.out "$directory"/n3.out >&2
    fail "no node leads after $patience tries"
}

start() {
    for node in n1 n2 n3; do
        runs "$node" || start_node "$node"
    done
    tell "$(leader) leads; clients connect to $url"
}

status() {
    ask "$(leader)" cluster list
}

kill_leader() {
    node=$(leader)
    kill -9 "$(pid_of "$node")"
    tell "$node led, and was killed with kill -9"
}

heal() {
    for node in n1 n2 n3; do
        if ! runs "$node"; then
            start_node "$node"
            tell "$node is started again"
        fi
    done
}

stop() {
    for node in n1 n2 n3; do
        if runs "$node"; then
            "$home/bin/duramen" stop --data "$directory/$node" >/dev/null
            tell "$node has ended"
        fi
    done
}

demo() {
    start
    over=$directory/over
    rm -f "$over"
    "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx128m -cp "$home/examples/*:$home/lib/*" \
        io.duramen.examples.ClusterExample "$url" "$over" >"$directory/orders.out" 2>&1 &
    orders=$!
    tell "orders are being sent and received"
    round=0
    while [ "$round" -lt "$1" ]; do
        round=$((round + 1))
        sleep 2
        kill_leader
        tell "$(leader) has taken over"
        heal
    done
    sleep 2
    : >"$over"
    if wait "$orders"; then
        sed 's/^/  /' "$directory/orders.out"
    else
        sed 's/^/  /' "$directory/orders.out" >&2
        stop
        fail "orders were lost"
    fi
    status
    stop
}

case ${1:-} in
    start) start ;;
    status) status ;;
    kill) kill_leader ;;
    heal) heal ;;
    stop) stop ;;
    demo) demo "${2:-3}" ;;
    *)
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        exit 64
        ;;
esac
