package io.duramen.node.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the suite to its claim: each section that asks something of a provider is cited by a test. */
class EverySectionTest {
    private static final List<Class<?>> SUITE = List.of(
            CommonRulesTest.class,
            MessageHeadersTest.class,
            MessageContentTest.class,
            MessageConversionsTest.class,
            SelectionTest.class,
            QueuesAndTopicsTest.class,
            ConnectionsTest.class,
            SessionsTest.class,
            ReliabilityTest.class,
            SendingTest.class,
            ReceivingTest.class,
            ApplicationServersTest.class,
            XaBranchesTest.class);

    /**
     * Left out: what explains or names only (1, 2 but 2.14, 3.1 to 3.3, 3.7, the introductions); what is optional and not there
     * (3.4.12, an administrator's own values of headers; 7.3.9, access to a message on its way); 11.2.2, 11.2.3 and 11.2.6, which
     * ask something of application servers; 7.3.5, 12 and 13, which are about Jakarta EE and are the resource adapter's.
     */
    private static final String ASKING = """
            2.14
            3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.4.7 3.4.8 3.4.9 3.4.10 3.4.11 3.4.13
            3.5.1 3.5.2 3.5.3 3.5.4 3.5.5 3.5.6 3.5.7 3.5.8 3.5.9 3.5.10 3.5.11
            3.6 3.8.1 3.8.1.1 3.8.1.2 3.8.1.3 3.9 3.10 3.11 3.11.1 3.11.2 3.11.3 3.11.4 3.12
            4.1.2 4.1.4 4.1.5 4.1.6 4.1.7 4.1.8 4.2.2 4.2.4 4.2.6 4.2.7 4.2.8 4.2.9 4.2.10 4.2.11 5.1 5.2 5.3
            6.1 6.1.1 6.1.2 6.1.4 6.1.5 6.1.6 6.1.7 6.1.8
            6.2 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.2.9 6.2.9.1 6.2.9.2 6.2.10 6.2.11 6.2.12 6.2.13 6.2.14 6.2.15
            7.1 7.2 7.3.1 7.3.2 7.3.3 7.3.4 7.3.6 7.3.7 7.3.8 7.4 7.5 7.6 7.7 7.8 7.9 7.10
            8.1 8.2 8.3.1 8.3.2 8.3.3 8.3.4 8.4 8.5 8.6 8.7 8.8 9.1 9.2 10.2 10.3
            11.2.1 11.2.4 11.2.5 11.3.1 11.3.2 11.3.3 11.3.4 11.3.5 11.4
            """;

    @Test
    void shouldCiteEverySectionThatAsksSomethingOfAProvider() {
        TreeSet<String> cited = new TreeSet<>();
        SUITE.stream()
                .flatMap(suite -> Stream.of(suite.getDeclaredMethods()))
                .map(method -> method.getAnnotation(Section.class))
                .filter(section -> section != null)
                .forEach(section -> cited.addAll(List.of(section.value())));
        assertThat(new TreeSet<>(List.of(ASKING.strip().split("\\s+")))).isEqualTo(cited);
    }
}
