package io.duramen.acceptance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may use whom. The table is the architecture; a new arrow is a decision, not an import. */
class RoomsTest {
    /** A part of the house; the first whose package fits is a class's room. */
    enum Room {
        SNAPSHOT("io.duramen.metadata.snapshot"),
        H2("io.duramen.metadata.h2"),
        METADATA("io.duramen.metadata"),
        PROTOCOL("io.duramen.protocol"),
        MANAGEMENT("io.duramen.management"),
        RUNTIME("io.duramen.runtime"),
        LOG("io.duramen.log"),
        REPLICATION("io.duramen.replication"),
        BROKER("io.duramen.broker"),
        SIMULATION("io.duramen.simulation"),
        CDI("io.duramen.jms.cdi"),
        CLIENT("io.duramen.jms"),
        SPRING("io.duramen.spring"),
        RESOURCE_ADAPTER("io.duramen.ra"),
        NODE("io.duramen.node"),
        EXAMPLES("io.duramen.examples"),
        BENCH("io.duramen.bench"),
        CLI("io.duramen.cli");

        private final String prefix;

        Room(String prefix) {
            this.prefix = prefix;
        }

        static Optional<Room> of(JavaClass type) {
            String name = type.getBaseComponentType().getPackageName();
            return Arrays.stream(values())
                    .filter(room -> name.equals(room.prefix) || name.startsWith(room.prefix + "."))
                    .findFirst();
        }
    }

    private static final Map<Room, Set<Room>> MAY_USE = new EnumMap<>(Room.class);

    static {
        MAY_USE.put(Room.PROTOCOL, EnumSet.noneOf(Room.class));
        MAY_USE.put(Room.MANAGEMENT, EnumSet.noneOf(Room.class));
        MAY_USE.put(Room.RUNTIME, EnumSet.noneOf(Room.class));
        MAY_USE.put(Room.METADATA, EnumSet.noneOf(Room.class));
        MAY_USE.put(Room.LOG, EnumSet.of(Room.PROTOCOL, Room.RUNTIME));
        MAY_USE.put(Room.REPLICATION, EnumSet.of(Room.PROTOCOL, Room.RUNTIME, Room.LOG));
        MAY_USE.put(Room.SNAPSHOT, EnumSet.of(Room.METADATA, Room.RUNTIME, Room.PROTOCOL));
        MAY_USE.put(Room.H2, EnumSet.of(Room.METADATA));
        MAY_USE.put(Room.BROKER, EnumSet.of(Room.PROTOCOL, Room.RUNTIME, Room.METADATA));
        MAY_USE.put(
                Room.NODE,
                EnumSet.of(
                        Room.PROTOCOL,
                        Room.MANAGEMENT,
                        Room.METADATA,
                        Room.SNAPSHOT,
                        Room.H2,
                        Room.RUNTIME,
                        Room.LOG,
                        Room.REPLICATION,
                        Room.BROKER));
        MAY_USE.put(
                Room.SIMULATION,
                EnumSet.of(
                        Room.PROTOCOL,
                        Room.RUNTIME,
                        Room.METADATA,
                        Room.SNAPSHOT,
                        Room.LOG,
                        Room.REPLICATION,
                        Room.BROKER));
        MAY_USE.put(Room.CLIENT, EnumSet.of(Room.PROTOCOL));
        MAY_USE.put(Room.CDI, EnumSet.of(Room.CLIENT));
        MAY_USE.put(Room.SPRING, EnumSet.of(Room.CLIENT));
        MAY_USE.put(Room.RESOURCE_ADAPTER, EnumSet.of(Room.CLIENT));
        MAY_USE.put(Room.EXAMPLES, EnumSet.of(Room.CLIENT, Room.NODE));
        MAY_USE.put(Room.BENCH, EnumSet.of(Room.CLIENT));
        MAY_USE.put(Room.CLI, EnumSet.of(Room.CLIENT, Room.MANAGEMENT));
    }

    /** The port of replication, and what its signatures name: all of the log that the broker sees. */
    private static final Set<String> PORT = Set.of(
            "io.duramen.replication.ReplicatedLog",
            "io.duramen.replication.CommittedEntry",
            "io.duramen.replication.LogStatus",
            "io.duramen.log.EntryBuffer",
            "io.duramen.log.LogRecord",
            "io.duramen.log.PartitionChunk",
            "io.duramen.log.DamagedLogException");

    /** The node's entry point for embedding hands out the client's connection factory. */
    private static final String EMBEDDED = "io.duramen.node.Duramen";

    @Test
    void shouldUseOnlyTheRoomsThatTheTableAllows() {
        List<String> violations = new ArrayList<>();
        for (JavaClass type : Classes.ALL) {
            Optional<Room> own = Room.of(type);
            if (own.isEmpty()) {
                violations.add(type.getName() + " belongs to no room: add its package to this table");
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                Optional<Room> used = Room.of(dependency.getTargetClass());
                if (used.isPresent() && !isAllowed(own.get(), used.get(), dependency)) {
                    violations.add(own.get() + " -> " + used.get() + ": " + dependency.getDescription());
                }
            }
        }
        assertThat(violations).isEmpty();
    }

    /** Goal: a rule over nothing holds always; so the modules must have been compiled. */
    @Test
    void shouldSeeTheRoomsOfThisHouse() {
        Set<Room> seen = EnumSet.noneOf(Room.class);
        Classes.ALL.forEach(type -> Room.of(type).ifPresent(seen::add));
        assertThat(seen)
                .contains(
                        Room.PROTOCOL,
                        Room.MANAGEMENT,
                        Room.RUNTIME,
                        Room.LOG,
                        Room.REPLICATION,
                        Room.METADATA,
                        Room.SNAPSHOT,
                        Room.H2,
                        Room.BROKER,
                        Room.SIMULATION,
                        Room.CLIENT,
                        Room.RESOURCE_ADAPTER,
                        Room.NODE);
    }

    private static boolean isAllowed(Room own, Room used, Dependency dependency) {
        if (own == used || MAY_USE.get(own).contains(used)) {
            return true;
        }
        String target = outermost(dependency.getTargetClass());
        return own == Room.BROKER && PORT.contains(target)
                || own == Room.NODE
                        && used == Room.CLIENT
                        && outermost(dependency.getOriginClass()).equals(EMBEDDED);
    }

    private static String outermost(JavaClass type) {
        return type.getBaseComponentType().getName().replaceFirst("\\$.*", "");
    }
}
