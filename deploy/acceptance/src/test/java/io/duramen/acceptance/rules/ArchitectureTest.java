package io.duramen.acceptance.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the core may not touch, and where the world outside may enter. */
class ArchitectureTest {
    /** Runs in a simulation from a seed: the world reaches it through the doors of {@code runtime} alone. */
    private static final String[] CORE = {
        "io.duramen.protocol..",
        "io.duramen.log..",
        "io.duramen.replication",
        "io.duramen.broker..",
        "io.duramen.metadata",
        "io.duramen.metadata.snapshot..",
        "io.duramen.simulation.."
    };

    @Test
    void shouldHaveNoCirclesOfPackages() {
        slices().matching("io.duramen.(**)").should().beFreeOfCycles().check(Classes.ALL);
    }

    @Test
    void shouldReadNoClockInTheCore() {
        inTheCoreNoCallOf("java\\.lang\\.System\\.(currentTimeMillis|nanoTime)\\(.*", "time comes from Clock");
        inTheCoreNoCallOf("java\\.time\\..*\\.now\\(.*", "time comes from Clock");
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util").and(nameMatching(".*\\.(Timer|TimerTask|Date)")))
                .because("time comes from Clock")
                .check(Classes.ALL);
    }

    @Test
    void shouldStartNoThreadInTheCore() {
        inTheCoreNoCallOf(
                "java\\.util\\.concurrent\\.CompletableFuture\\..*Async\\(.*", "one agent owns what it touches");
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat(nameMatching("java\\.lang\\.(Thread|ThreadLocal|ThreadGroup)"))
                .orShould()
                .dependOnClassesThat(
                        nameMatching("java\\.util\\.concurrent\\.(Executor.*|.*Executor|.*ExecutorService|ForkJoin.*)"))
                .because("one agent owns what it touches")
                .check(Classes.ALL);
    }

    @Test
    void shouldTouchNoFileAndNoSocketInTheCore() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                        .and(not(nameMatching(".*Exception"))))
                .orShould()
                .dependOnClassesThat(
                        nameMatching("java\\.io\\.(File|RandomAccessFile|File.*Stream|FileReader|FileWriter)"))
                .because("files are reached through Disk, peers through the node")
                .check(Classes.ALL);
    }

    @Test
    void shouldDrawNoUnseededChanceInTheCore() {
        inTheCoreNoCallOf("java\\.util\\.UUID\\.randomUUID\\(\\)", "chance comes from a seed");
        inTheCoreNoCallOf("java\\.lang\\.Math\\.random\\(\\)", "chance comes from a seed");
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .callConstructor(Random.class)
                .orShould()
                .dependOnClassesThat(nameMatching(".*\\.(ThreadLocalRandom|SecureRandom)"))
                .because("chance comes from a seed")
                .check(Classes.ALL);
    }

    @Test
    void shouldUseNoParallelStream() {
        noClasses()
                .should()
                .callMethodWhere(target(nameMatching("parallel|parallelStream")))
                .because("whose thread runs what is never left to a shared pool")
                .check(Classes.ALL);
    }

    @Test
    void shouldLockNothingInTheCore() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(CORE)
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .because("one writer needs no lock")
                .check(Classes.ALL);
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.concurrent.locks.."))
                .because("one writer needs no lock")
                .check(Classes.ALL);
        fields().that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage("io.duramen.log..", "io.duramen.broker..")
                .should()
                .notHaveModifier(JavaModifier.VOLATILE)
                .because("one writer shares nothing")
                .check(Classes.ALL);
    }

    @Test
    void shouldMeetTheWorldOutsideInOnePlaceEach() {
        onlyIn("io.netty..", "io.duramen.node.network..", "io.duramen.jms.link..", "io.duramen.replication.raft..");
        onlyIn("org.jolokia..", "io.duramen.node.management..");
        onlyIn("org.hibernate..", "io.duramen.metadata.h2..");
        onlyIn("jakarta.persistence..", "io.duramen.metadata.h2..");
        onlyIn("org.h2..", "io.duramen.metadata.h2..");
        onlyIn("org.flywaydb..", "io.duramen.metadata.h2..");
        onlyIn("com.zaxxer..", "io.duramen.metadata.h2..");
        onlyIn("com.alipay..", "io.duramen.replication.raft..");
        // The node is outside, but for the entry point that hands out a connection factory when it is embedded.
        noClasses()
                .that()
                .resideInAPackage("io.duramen.node..")
                .and()
                .haveNameNotMatching("io\\.duramen\\.node\\.Duramen(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.jms..")
                .check(Classes.ALL);
        onlyIn(
                "jakarta.jms..",
                "io.duramen.node",
                "io.duramen.jms..",
                "io.duramen.spring..",
                "io.duramen.ra..",
                "io.duramen.cli..",
                "io.duramen.examples..",
                "io.duramen.bench..");
        onlyIn("org.roaringbitmap..", "io.duramen.broker..");
        onlyIn("javax.management..", "io.duramen.management..", "io.duramen.node.management..", "io.duramen.cli..");
        onlyIn("java.util.logging..", "nowhere");
        onlyIn("sun..", "nowhere");
        onlyIn("jdk.internal..", "nowhere");
    }

    @Test
    void shouldAskNothingOfAConsoleButTheJdk() {
        noClasses()
                .that()
                .resideInAPackage("io.duramen.management..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.duramen.management..", "java..", "javax.management..")
                .because("a console has the JDK")
                .check(Classes.ALL);
    }

    @Test
    void shouldNameAClassForWhatItIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .because("such a name says nothing about the thing")
                .check(Classes.ALL);
    }

    @Test
    void shouldPrintOnlyWhereAPersonReadsIt() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.duramen\\.node\\.(Main|[A-Za-z]+Command)(\\$.*)?")
                .and()
                .resideOutsideOfPackages(
                        "io.duramen.node.command..", "io.duramen.cli..", "io.duramen.examples..", "io.duramen.bench..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("everything else is logged")
                .check(Classes.ALL);
        noClasses()
                .should()
                .callMethodWhere(target(nameMatching("printStackTrace")))
                .check(Classes.ALL);
    }

    private static void inTheCoreNoCallOf(String fullName, String reason) {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .callMethodWhere(target(
                        com.tngtech.archunit.core.domain.properties.HasName.AndFullName.Predicates.fullNameMatching(
                                fullName)))
                .because(reason)
                .check(Classes.ALL);
    }

    private static void onlyIn(String library, String... packages) {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because(library + " stays behind one door")
                .check(Classes.ALL);
    }
}
