package io.duramen.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.runtime.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
    private static final SecurityConfig CONFIG = new SecurityConfig(true, false, 10_000);

    @TempDir
    Path data;

    @Test
    void shouldLogInTheAdminWithTheSecretOfTheFirstStart() throws Exception {
        Path secret = Users.createAdmin(data, CONFIG).orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("users"))))
                .isEqualTo("rw-------");
        Users users = new Users(data, CONFIG);
        String password = Files.readString(secret).trim();
        assertThat(users.authenticate("admin", password)).contains("admin");
        assertThat(users.authenticate("admin", password)).contains("admin");
        assertThat(users.authenticate("admin", password + "x")).isEmpty();
        assertThat(Files.readString(data.resolve("users"))).doesNotContain(password);
        assertThat(Users.createAdmin(data, CONFIG)).isEmpty();
    }

    @Test
    void shouldNeverLogInWithAnEmptyNameOrPassword() throws Exception {
        UsersFile file = new UsersFile(data);
        file.put("ann", "secret", 10_000);
        assertThatThrownBy(() -> file.put("bob", "", 10_000)).isInstanceOf(IllegalArgumentException.class);
        Files.writeString(data.resolve("users"), "bob:" + PasswordHash.of("", 10_000) + "\n");
        Users users = new Users(data, CONFIG);
        assertThat(users.authenticate("bob", "")).isEmpty();
        assertThat(users.authenticate("", "")).isEmpty();
        assertThat(users.authenticate("nobody", "")).isEmpty();
    }

    /** Goal: each start of a node is spared a slow hash. */
    @Test
    @Timeout(5)
    void shouldBeThereAtOnceHoweverLongAPasswordTakes() {
        assertThat(new Users(data, new SecurityConfig(true, false, 10_000_000)).isAnonymousAllowed())
                .isTrue();
    }

    @Test
    void shouldTakeAsManyRoundsForWhoIsNobodyAsForAUser() {
        PasswordHash nobody = PasswordHash.ofNobody(10_000);

        assertThat(nobody.matches("")).isFalse();
        assertThat(nobody.toString())
                .startsWith("pbkdf2-sha512$10000$")
                .hasSameSizeAs(PasswordHash.of("one", 10_000).toString());
        assertThat(nobody).doesNotHaveToString(PasswordHash.ofNobody(10_000).toString());
    }

    @Test
    void shouldFollowChangesOfTheFileWhileItRuns() throws Exception {
        UsersFile file = new UsersFile(data);
        Users users = new Users(data, CONFIG);
        assertThat(users.authenticate("ann", "one")).isEmpty();
        file.put("ann", "one", 10_000);
        assertThat(users.authenticate("ann", "one")).contains("ann");
        file.put("ann", "two", 10_000);
        assertThat(users.authenticate("ann", "one")).isEmpty();
        assertThat(users.authenticate("ann", "two")).contains("ann");
        assertThat(file.remove("ann")).isTrue();
        assertThat(file.remove("ann")).isFalse();
        assertThat(users.authenticate("ann", "two")).isEmpty();
    }

    @Test
    void shouldLetNobodyInWhenTheFileIsDamaged() throws Exception {
        Files.writeString(data.resolve("users"), "ann:pbkdf2-sha512$0$$\n");
        assertThat(new Users(data, CONFIG).authenticate("ann", "x")).isEmpty();
    }

    @Test
    void shouldRefuseNamesThatWouldBreakTheFile() {
        UsersFile file = new UsersFile(data);
        for (String name : new String[] {"", " ", "a:b", "a\nb", " a", "#a", "a".repeat(256)}) {
            assertThatThrownBy(() -> file.put(name, "x", 10_000)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAnonymousAccessBeyondLoopbackUnlessSaid() {
        assertThatThrownBy(() -> AnonymousRule.check("0.0.0.0", CONFIG))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("network.host=0.0.0.0")
                .hasMessageContaining("security.anonymous-beyond-loopback=true");
        assertThatCode(() -> {
                    AnonymousRule.check("127.0.0.1", CONFIG);
                    AnonymousRule.check("::1", CONFIG);
                    AnonymousRule.check("0.0.0.0", new SecurityConfig(false, false, 10_000));
                    AnonymousRule.check("0.0.0.0", new SecurityConfig(true, true, 10_000));
                })
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSlowDownAnAddressWithEachFailure() {
        LoginThrottle throttle = new LoginThrottle();
        long now = Long.MAX_VALUE - 5;
        assertThat(throttle.takeTurn("a", now, Long.MAX_VALUE)).isZero();
        throttle.failed("a", now);
        assertThat(throttle.takeTurn("b", now, Long.MAX_VALUE)).isZero();
        long first = throttle.takeTurn("a", now, Long.MAX_VALUE);
        long second = throttle.takeTurn("a", now, Long.MAX_VALUE);
        assertThat(first).isPositive();
        assertThat(second).isGreaterThan(first);
        throttle.failed("a", now + second);
        assertThat(throttle.takeTurn("a", now + second, Long.MAX_VALUE)).isGreaterThan(first);
        assertThat(throttle.takeTurn("a", now + 600_000_000_000L, Long.MAX_VALUE))
                .isZero();
    }

    @Test
    void shouldNotPutTheTurnOfAnAddressOffForAttemptsThatDoNotWait() {
        LoginThrottle throttle = new LoginThrottle();
        throttle.failed("a", 0);
        long next = throttle.takeTurn("a", 1, 0);
        assertThat(next).isPositive();
        for (int i = 0; i < 1_000; i++) {
            assertThat(throttle.takeTurn("a", 1, 0)).isEqualTo(next);
        }
        assertThat(throttle.takeTurn("a", 1 + next, 0)).isZero();
    }
}
