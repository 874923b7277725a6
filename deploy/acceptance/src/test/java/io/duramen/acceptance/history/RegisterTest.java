package io.duramen.acceptance.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One thread. */
class RegisterTest {
    private final Register register = new Register();

    @Test
    void shouldAcceptWhateverFitsAMomentBetweenQuestionAndAnswer() {
        register.writing(1, 10).done(20);
        register.read(1, 15, 25);
        register.read(1, 21, 31);
        register.writing(2, 30);
        register.read(1, 32, 40);
        register.read(2, 33, 41);
        assertThat(register.violations()).isEmpty();
        assertThat(register.written()).isEqualTo(1);
        assertThat(register.answers()).isEqualTo(4);
    }

    @Test
    void shouldNoticeAnAnswerFromBeforeWhatWasWritten() {
        register.writing(1, 10).done(20);
        register.writing(2, 30).done(40);
        register.read(1, 41, 50);
        assertThat(register.violations()).singleElement().asString().contains("2 to 2");
    }

    /** Whether the second was written is not known; but once it was read, it was. */
    @Test
    void shouldNoticeThatTimeGoesBackForReaders() {
        register.writing(1, 10).done(20);
        register.writing(2, 30);
        register.read(2, 31, 40);
        register.read(1, 41, 50);
        assertThat(register.violations()).hasSize(1);
    }

    @Test
    void shouldNoticeAnAnswerThatNobodyHadWrittenYet() {
        register.writing(1, 10).done(20);
        register.read(2, 21, 30);
        register.writing(2, 31).done(40);
        assertThat(register.violations()).hasSize(1);
    }
}
