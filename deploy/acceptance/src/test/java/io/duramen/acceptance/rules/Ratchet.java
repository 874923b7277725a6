package io.duramen.acceptance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What breaks a rule and is known to: the lines {@code rule where} of {@code ratchet.txt}. It only tightens: nothing is
 * added, and a line whose offender has gone must go too.
 */
final class Ratchet {
    private static final Path FILE = Path.of("deploy", "acceptance", "src", "test", "resources", "ratchet.txt");

    private Ratchet() {}

    /** @param offenders names without spaces, of what breaks the rule today */
    static void assertNoNew(String rule, Repository repository, List<String> offenders) {
        Set<String> known = Repository.textOf(repository.root().resolve(FILE))
                .lines()
                .filter(line -> line.startsWith(rule + " "))
                .map(line -> line.substring(rule.length() + 1).trim())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> added = new TreeSet<>(offenders);
        added.removeAll(known);
        assertThat(added).as("new offenders against '%s'", rule).isEmpty();
        known.removeAll(Set.copyOf(offenders));
        assertThat(known)
                .as("no longer offend against '%s': take their lines out of %s", rule, FILE)
                .isEmpty();
    }
}
