package io.duramen.ra.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ejb.ApplicationException;
import jakarta.ejb.EJBException;
import org.junit.jupiter.api.Test;

/** What is an application's exception, and what a server's. */
class ApplicationFailureTest {
    /** Of another class loader than what is thrown here. */
    private static final Class<?> ELSEWHERE = String.class;

    private static final Class<?> HERE = ApplicationFailureTest.class;

    @ApplicationException
    static class Declared extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @ApplicationException(inherited = false)
    static class DeclaredAlone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final class Inheriting extends Declared {
        private static final long serialVersionUID = 1L;
    }

    static final class NotInheriting extends DeclaredAlone {
        private static final long serialVersionUID = 1L;
    }

    static final class OfTheBeansModule extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final class SystemFailure extends EJBException {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void shouldKnowItByItsAnnotation() {
        assertThat(ApplicationFailure.isOne(new Declared(), ELSEWHERE)).isTrue();
        assertThat(ApplicationFailure.isOne(new DeclaredAlone(), ELSEWHERE)).isTrue();
        assertThat(ApplicationFailure.isOne(new Declared(), null)).isTrue();
    }

    @Test
    void shouldKnowItByTheAnnotationOfWhatItExtendsWhereThatIsInherited() {
        assertThat(ApplicationFailure.isOne(new Inheriting(), ELSEWHERE)).isTrue();
        assertThat(ApplicationFailure.isOne(new NotInheriting(), ELSEWHERE)).isFalse();
    }

    @Test
    void shouldKnowItByComingWithTheBean() {
        assertThat(ApplicationFailure.isOne(new OfTheBeansModule(), HERE)).isTrue();
        assertThat(ApplicationFailure.isOne(new OfTheBeansModule(), ELSEWHERE)).isFalse();
        assertThat(ApplicationFailure.isOne(new OfTheBeansModule(), null)).isFalse();
    }

    @Test
    void shouldTakeWhatAServerSaysForNone() {
        assertThat(ApplicationFailure.isOne(new EJBException(), HERE)).isFalse();
        assertThat(ApplicationFailure.isOne(new SystemFailure(), HERE)).isFalse();
        assertThat(ApplicationFailure.isOne(new IllegalStateException("not there"), HERE))
                .isFalse();
        assertThat(ApplicationFailure.isOne(new AssertionError(), HERE)).isFalse();
    }
}
