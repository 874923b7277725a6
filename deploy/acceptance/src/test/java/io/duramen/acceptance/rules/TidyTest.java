package io.duramen.acceptance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.duramen.acceptance.rules.SourceShapes.Method;
import io.duramen.acceptance.rules.SourceShapes.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sizes that tell when to split, words of the glossary, and what has no place in a source. */
class TidyTest {
    private static final int FILE_LINES_MAX = 600;
    private static final int METHOD_LINES_MAX = 60;
    private static final int TEST_LINES_MAX = 40;
    private static final int PARAMETERS_MAX = 6;
    private static final int IMPORTS_MAX = 40;

    /** Words that the glossary replaces, each with the word to take; the key is a part of a camel-case name. */
    private static final Map<String, String> NOT_IN_GLOSSARY = Map.of(
            "journal", "log",
            "wal", "log",
            "bookmark", "cursor",
            "checkpoint", "snapshot",
            "packet", "frame",
            "slave", "follower",
            "nack", "reject or release",
            "watermark", "committedOffset");

    private static final Pattern TEXT_FILES =
            Pattern.compile(".*\\.(java|xml|md|properties|sh|txt|yaml|yml|service|config)|.*/bin/[a-z]+");
    private static final Pattern MACHINE_PATHS =
            Pattern.compile("(^|[\"'\\s=(:`])(/home/|/Users/|/root/|/work/|C:\\\\)");
    private static final Pattern REGISTRIES = Pattern.compile("https?://(repo1?|repository|nexus|artifactory)[./-]");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");
    /** What surefire and failsafe look for. */
    private static final Pattern RUN = Pattern.compile(".*(Test|IT)\\.java");

    private static final String THIS_FILE = "TidyTest.java";

    private static Repository repository;
    private static List<Shape> shapes;

    @BeforeAll
    static void parse() {
        repository = Repository.here();
        shapes = SourceShapes.of(repository.javaFiles());
        assertThat(shapes).hasSizeGreaterThan(100);
    }

    @Test
    void shouldKeepFilesShort() {
        Ratchet.assertNoNew("file-lines", repository, files(shape -> shape.lines() > FILE_LINES_MAX));
    }

    @Test
    void shouldKeepImportsFew() {
        Ratchet.assertNoNew("imports", repository, files(shape -> shape.imports() > IMPORTS_MAX));
    }

    @Test
    void shouldKeepMethodsShort() {
        Ratchet.assertNoNew("method-lines", repository, methods(method -> method.lines() > METHOD_LINES_MAX));
    }

    @Test
    void shouldKeepTestsShort() {
        Ratchet.assertNoNew(
                "test-lines", repository, methods(method -> method.isTest() && method.lines() > TEST_LINES_MAX));
    }

    @Test
    void shouldKeepParametersFew() {
        Ratchet.assertNoNew(
                "parameters",
                repository,
                methods(method -> method.parameters() > PARAMETERS_MAX && !method.isConstructorOfRecord()));
    }

    @Test
    void shouldNameATestForWhatShouldHappen() {
        Ratchet.assertNoNew(
                "test-names",
                repository,
                methods(method -> method.isTest() && !method.name().contains(".should")));
    }

    /** A class of another name is compiled and never run, unless others inherit what it asks. */
    @Test
    void shouldNameAClassOfTestsSoThatTheBuildRunsIt() {
        Ratchet.assertNoNew(
                "test-classes",
                repository,
                files(shape -> shape.methods().stream().anyMatch(Method::isTest)
                        && !shape.isForOthers()
                        && !RUN.matcher(shape.file().toString()).matches()));
    }

    @Test
    void shouldLockNothingInTheCore() {
        Pattern core = Pattern.compile("(server/(broker|log|replication|protocol|simulation)|persistence)/.*");
        List<String> offenders = files(shape -> shape.locks() > 0
                && Repository.isProduction(shape.file())
                && core.matcher(repository.nameOf(shape.file())).matches());
        Ratchet.assertNoNew("locks", repository, offenders);
    }

    @Test
    void shouldNameThingsByTheGlossary() {
        List<String> offenders = new ArrayList<>();
        for (Shape shape : shapes) {
            for (String name : shape.names()) {
                wordsOf(name)
                        .filter(NOT_IN_GLOSSARY::containsKey)
                        .forEach(word -> offenders.add(
                                repository.nameOf(shape.file()) + ":" + name + "->" + NOT_IN_GLOSSARY.get(word)));
                boolean selector = shape.file().toString().contains("selector"); // whose grammar has terms
                if (name.equals("term") && !selector) {
                    offenders.add(repository.nameOf(shape.file()) + ":term->epoch");
                }
            }
        }
        Ratchet.assertNoNew("glossary", repository, offenders);
    }

    @Test
    void shouldLeaveNothingUnfinished() {
        Ratchet.assertNoNew("unfinished", repository, filesWith(UNFINISHED));
    }

    @Test
    void shouldWaitOnStateAndNeverOnTime() {
        Ratchet.assertNoNew(
                "sleep", repository, filesWith(Pattern.compile("Thread\\s*\\.\\s*sleep|TimeUnit\\.\\w+\\.sleep")));
    }

    @Test
    void shouldNameNoPlaceOnAMachineAndNoRegistry() {
        Ratchet.assertNoNew("machine-path", repository, filesWith(MACHINE_PATHS));
        Ratchet.assertNoNew("registry", repository, filesWith(REGISTRIES));
    }

    @Test
    void shouldSayWhatEveryPackageIsFor() {
        List<String> offenders = repository.javaFiles().stream()
                .filter(Repository::isProduction)
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .map(repository::nameOf)
                .toList();
        Ratchet.assertNoNew("package-info", repository, offenders);
    }

    private static List<String> files(Predicate<Shape> offends) {
        return shapes.stream()
                .filter(offends)
                .map(shape -> repository.nameOf(shape.file()))
                .toList();
    }

    private static List<String> methods(Predicate<Method> offends) {
        return shapes.stream()
                .flatMap(shape -> shape.methods().stream()
                        .filter(offends)
                        .map(method -> repository.nameOf(shape.file()) + ":" + method.name()))
                .toList();
    }

    private static List<String> filesWith(Pattern pattern) {
        return repository.files().stream()
                .filter(file -> TEXT_FILES.matcher(repository.nameOf(file)).matches())
                .filter(file -> !file.endsWith(THIS_FILE))
                .filter(file -> pattern.matcher(Repository.textOf(file)).find())
                .map(repository::nameOf)
                .toList();
    }

    /** The words of a camel-case or upper-case name, in lower case. */
    private static Stream<String> wordsOf(String name) {
        return Stream.of(name.split("_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"))
                .map(word -> word.toLowerCase(Locale.ROOT));
    }
}
