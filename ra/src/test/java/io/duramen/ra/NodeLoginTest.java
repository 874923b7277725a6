package io.duramen.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.ra.address.NodeLogin;
import jakarta.resource.spi.InvalidPropertyException;
import org.junit.jupiter.api.Test;

/** Who logs in where, when several say something. */
class NodeLoginTest {
    private final NodeLogin adapter = new NodeLogin("duramen://node", "shop", "secret");

    @Test
    void shouldFallBackOnTheAdapterWhenNothingIsSaid() {
        assertThat(new NodeLogin(" ", "", "").orElse(adapter)).isEqualTo(adapter);
    }

    @Test
    void shouldNotGiveAPasswordToAnotherUser() {
        assertThat(new NodeLogin(null, "other", null).orElse(adapter))
                .isEqualTo(new NodeLogin("duramen://node", "other", null));
    }

    /** Goal: a server whose recovery credential is left empty recovers as the applications log in. */
    @Test
    void shouldStayTheSameUserWhenNobodyIsNamed() {
        assertThat(adapter.as(null, null)).isEqualTo(adapter);
        assertThat(adapter.as("", "")).isEqualTo(adapter);
        assertThat(adapter.as("admin", "other")).isEqualTo(new NodeLogin("duramen://node", "admin", "other"));
    }

    @Test
    void shouldKeepItsOptionsWhenTheNodeIsAnother() {
        NodeLogin login = new NodeLogin("duramen://there?prefetch=5", "me", "secret");
        assertThat(login.at("duramen://here:1"))
                .isEqualTo(new NodeLogin("duramen://here:1?prefetch=5", "me", "secret"));
        assertThat(NodeLogin.UNSAID.at("duramen://here:1")).isEqualTo(new NodeLogin("duramen://here:1", null, null));
    }

    @Test
    void shouldPrintNoSecret() {
        assertThat(adapter.toString()).isEqualTo("shop at duramen://node");
        assertThat(new NodeLogin("duramen://node?password=secret", null, null)).hasToString("duramen://node");
    }

    @Test
    void shouldNameTheOptionThatIsUnknown() {
        assertThatThrownBy(() -> new NodeLogin("duramen://node?colour=red", null, null).factory())
                .isInstanceOf(InvalidPropertyException.class)
                .hasMessageContaining("colour");
    }
}
