package io.duramen.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7676", "node-2.example.org:1", "[::1]:65535"})
    void shouldTellWhoLeads(String address) {
        assertThat(Redirect.of(Redirect.to(Optional.of(address)))).contains(address);
    }

    @Test
    void shouldTellNobodyWhereNobodyIsKnown() {
        ProtocolException refusal = Redirect.to(Optional.empty());

        assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_LEADER);
        assertThat(Redirect.of(refusal)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "the shard is recovering",
                "host leads",
                "host:0 leads",
                "host:65536 leads",
                "host:99999 leads",
                "a b:1 leads",
                "host:1 leads ",
                "host/path:1 leads",
                "user@host:1 leads"
            })
    void shouldFollowNothingThatIsNoAddress(String detail) {
        assertThat(Redirect.of(new ProtocolException(ErrorCode.NOT_LEADER, detail)))
                .isEmpty();
    }

    @Test
    void shouldFollowNoOtherRefusal() {
        assertThat(Redirect.of(new ProtocolException(ErrorCode.SHUTTING_DOWN, "host:1 leads")))
                .isEmpty();
    }
}
