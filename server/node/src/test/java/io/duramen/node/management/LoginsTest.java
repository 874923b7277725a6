package io.duramen.node.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.node.management.Logins.RefusedException;
import io.duramen.node.security.Authenticator;
import io.duramen.runtime.settings.SettingsBinder;
import io.duramen.runtime.settings.SettingsCatalog;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoginsTest {
    private static final String HERE = "192.0.2.1";
    private static final String ELSEWHERE = "192.0.2.2";

    private final Logins logins = new Logins(
            SettingsBinder.of(new SettingsCatalog(Map.of("management", ManagementConfig.class)))
                    .build()
                    .bind(ManagementConfig.class),
            new OnlyAdmin(),
            new Audit("test"));

    private static final class OnlyAdmin implements Authenticator {
        @Override
        public boolean isAnonymousAllowed() {
            return false;
        }

        @Override
        public Optional<String> authenticate(String user, String password) {
            return user.equals("admin") && password.equals("right") ? Optional.of(user) : Optional.empty();
        }
    }

    private void fails(String host) {
        assertThatThrownBy(() -> logins.login("admin", "wrong", host, 0)).isInstanceOf(RefusedException.class);
    }

    @Test
    void shouldLetInFromWhereThePasswordWasRightBeforeHoweverManyFailedSince() {
        logins.login("admin", "right", HERE, 0);
        fails(HERE);
        fails(HERE);
        assertThat(logins.login("admin", "right", HERE, 0)).isNotNull();
    }

    @Test
    void shouldSlowDownWhoGuessesElsewhereAlsoWhenTheGuessIsRight() {
        logins.login("admin", "right", HERE, 0);
        fails(ELSEWHERE);
        assertThatThrownBy(() -> logins.login("admin", "right", ELSEWHERE, 0))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.isForLater()).isTrue());
    }
}
