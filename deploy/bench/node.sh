# Sourced by run and backlog: starts and ends our node as the peers are run (same heap, same collector).
# shellcheck shell=bash disable=SC2154

dist=$(find "$here/../dist/target" -maxdepth 1 -type d -name 'duramen-*' 2> /dev/null | head -n 1)
if [ -z "$dist" ] || [ ! -d "$here/target/classes" ]; then
    echo "Not built: mvn -q -pl deploy/dist,deploy/bench -am -DskipTests package" >&2
    exit 72
fi

start_node() { # LABEL PORT SYNC [DATA]; a new data directory unless one is given
    local run=$work/$1 data=${4:-$work/$1/data}
    [ $# -gt 3 ] || rm -rf "$run"
    mkdir -p "$run"
    : > "$run/log" # on data that stays there is one which says ready
    DURAMEN_HEAP=${DURAMEN_HEAP:-2g} DURAMEN_JAVA_OPTS="${DURAMEN_JAVA_OPTS:--Xms512m -XX:+UseG1GC}" \
        setsid "$dist/bin/duramen" start --data "$data" --port "$2" -D "log.sync=$3" > "$run/log" 2>&1 < /dev/null &
    echo $! > "$run/pid"
    echo "duramen://127.0.0.1:$2" > "$run/url"
    local tries=0
    until grep -q 'ready on' "$run/log"; do
        kill -0 "$(cat "$run/pid")" 2> /dev/null || { cat "$run/log" >&2; exit 1; }
        tries=$((tries + 1))
        [ $tries -lt 6000 ] || { echo "$1 is not ready" >&2; exit 1; }
        sleep 0.01
    done
    echo "started $1 (log.sync=$3), process $(cat "$run/pid")"
}

stop_node() { # LABEL
    local pid
    pid=$(cat "$work/$1/pid")
    kill -TERM "$pid" 2> /dev/null || return 0
    wait "$pid" || echo "$1 ended with status $?" >&2
}

pid_of() { cat "$work/$1/pid"; }

url_of() { cat "$work/$1/url"; }

# What a client needs, and no more: no logging back-end, none of the server.
client_jars() {
    local jar jars=
    for jar in "$dist"/lib/{duramen-client,duramen-protocol,netty-,slf4j-api,jakarta.jms-api}*.jar; do
        jars=$jars:$jar
    done
    echo "${jars#:}"
}

bench_classes() { echo "$here/target/classes:$(client_jars)"; }
