package io.duramen.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duramen.replication.raft.RaftPeer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberChangeTest {
    private static final RaftPeer FOUR = new RaftPeer("n4", "h", 4);

    @Test
    void shouldReadWhatWasWritten() {
        for (MemberChange change : List.of(
                MemberChange.adding(FOUR),
                MemberChange.removing("n1"),
                MemberChange.replacing("n1", FOUR),
                MemberChange.replacing("n1", FOUR).ofShard())) {
            assertThat(MemberChange.decode(ByteBuffer.wrap(change.encode()))).isEqualTo(change);
        }
    }

    @Test
    void shouldSayWhatItIsAsTheStateOfSuchAChangeDoes() {
        assertThat(MemberChange.replacing("n1", FOUR)).hasToString("adding n4@h:4 in place of n1");
        assertThat(MemberChange.removing("n1")).hasToString("removing n1");
    }

    @Test
    void shouldRefuseWhatIsNone() {
        for (String wrong : List.of("", "SHARD\n", "SHARD\n\n", "ALL\n\nn1", "SHARD\nn4\n", "SHARD\n\nn1\n")) {
            assertThatThrownBy(() -> MemberChange.decode(ByteBuffer.wrap(wrong.getBytes(StandardCharsets.UTF_8))))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
