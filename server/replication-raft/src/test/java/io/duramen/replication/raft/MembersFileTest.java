package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MembersFileTest {
    private static final PeerId ONE = new PeerId("127.0.0.1", 1);
    private static final PeerId TWO = new PeerId("node-2.example", 2);
    private static final PeerId THREE = new PeerId("127.0.0.1", 3);
    private static final Members ALONE = Members.of(List.of(ONE));
    private static final Members JOINT = new Members(List.of(ONE, TWO), List.of(THREE), List.of(ONE), List.of());

    private final FaultyFile file = new FaultyFile();

    @Test
    void shouldKnowAllChangesWhenLoadedAgain() throws IOException {
        MembersFile members = load(0);
        members.add(new MembersFile.Change(5, 2, JOINT));

        MembersFile again = load(9);
        assertThat(again.changes())
                .containsExactly(new MembersFile.Change(0, 0, ALONE), new MembersFile.Change(5, 2, JOINT));
        assertThat(again.at(4)).isEqualTo(ALONE);
        assertThat(again.at(5)).isEqualTo(JOINT);
        assertThat(again.last().isOne()).isFalse();
    }

    @Test
    void shouldForgetAChangeWhenTheLogEndsBeforeIt() throws IOException {
        load(0).add(new MembersFile.Change(5, 2, JOINT));

        assertThat(load(4).last()).isEqualTo(ALONE);
        assertThat(load(9).last()).isEqualTo(ALONE);
    }

    @Test
    void shouldKeepTheMembersOfTheStartWhenOthersAreNamedLater() throws IOException {
        load(0);
        MembersFile again = new MembersFile(file);
        again.load(0, JOINT);

        assertThat(again.last()).isEqualTo(ALONE);
    }

    /** Goal: the last entry may be one that told members itself; who had a vote is known for good. */
    @Test
    void shouldBeAloneFromTheLastEntryOnWhenTheOthersAreLost() throws IOException {
        PeerId a = new PeerId("a@h", 1);
        PeerId b = new PeerId("b@h", 2);
        MembersFile members = new MembersFile(file);
        members.load(0, Members.of(List.of(a)));
        members.add(new MembersFile.Change(5, 2, Members.of(List.of(a, b))));
        assertThatThrownBy(() -> members.recoverWithout(List.of("c"), a, 5, 2))
                .hasMessageContaining("[b], not [c]")
                .hasMessageContaining("ends with entry 5 of epoch 2");
        members.recoverWithout(List.of("b"), a, 5, 2);
        members.recoverWithout(List.of("b"), a, 9, 3);

        assertThat(members.changes()).hasSize(3);
        assertThat(members.last()).isEqualTo(Members.of(List.of(a)));
        assertThat(members.at(4)).isEqualTo(Members.of(List.of(a)));
        assertThat(members.forEngineOf(a))
                .containsExactly(
                        new MembersFile.Change(0, 0, Members.of(List.of(a))),
                        new MembersFile.Change(5, 2, Members.of(List.of(a))));
    }

    @Test
    void shouldNotGoOnAloneWithAnEmptyLog() throws IOException {
        PeerId a = new PeerId("a@h", 1);
        MembersFile members = new MembersFile(file);
        members.load(0, Members.of(List.of(a, new PeerId("b@h", 2))));

        assertThatThrownBy(() -> members.recoverWithout(List.of("b"), a, 0, 0)).hasMessageContaining("is empty");
        assertThat(members.changes()).hasSize(1);
    }

    /** Goal: a bound for the file, whoever leads how often; and what it tells of members is the same. */
    @Test
    void shouldForgetLeadershipsThatChangedNothingWhenThereWereMany() throws IOException {
        MembersFile members = load(0);
        members.add(new MembersFile.Change(5, 2, JOINT));
        for (int epoch = 3; epoch < 5_000; epoch++) {
            members.add(new MembersFile.Change(10L * epoch, epoch, ALONE));
            assertThat(members.changes()).hasSizeLessThanOrEqualTo(256);
            assertThat(members.firstOf(epoch)).isEqualTo(10L * epoch);
        }

        MembersFile again = load(49_995);
        assertThat(again.at(4)).isEqualTo(ALONE);
        assertThat(again.at(29)).isEqualTo(JOINT);
        assertThat(again.at(20_000)).isEqualTo(ALONE);
        again.cut(29);
        assertThat(again.last()).isEqualTo(JOINT);
    }

    /** Goal: a group from before names were part of its members goes on. */
    @Test
    void shouldFindNamesByTheAddressesWhenTheyWereNotWritten() throws IOException {
        load(0).add(new MembersFile.Change(5, 2, JOINT));
        Members named = Members.of(List.of(new PeerId("a@127.0.0.1", 1), new PeerId("b@node-2.example", 2)));
        MembersFile again = new MembersFile(file);
        again.load(9, named);

        assertThat(again.first().peers()).containsExactly(new PeerId("a@127.0.0.1", 1));
        assertThat(again.last().peers()).isEqualTo(named.peers());
        assertThat(again.last().learners()).containsExactly(THREE); // of whom nothing is known
        assertThat(again.last().named(named)).isEqualTo(again.last());
    }

    /** Goal: whatever stands in the place of lengths and counts, they are refused before anything is taken by them. */
    @Test
    void shouldRefuseWhatIsNotMembersWhenBytesAreRandom() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteBuffer intact = JOINT.encode();
        assertThat(Members.decode(intact)).isEqualTo(JOINT);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[intact.remaining()];
            intact.get(0, bytes);
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            ByteBuffer changed = ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length + 1));
            try {
                assertThat(Members.decode(changed.slice()).peers()).isNotEmpty();
            } catch (IOException e) {
                assertThat(e).as("seed %d, round %d", seed, i).hasMessageContaining("member");
            }
        }
    }

    @Test
    void shouldRefuseToLoadWhenAnyBitIsFlipped() throws IOException {
        load(0).add(new MembersFile.Change(5, 2, JOINT));
        int length = file.read().orElseThrow().limit();
        for (int position = 0; position < length; position++) {
            file.damage(position);
            assertThatThrownBy(() -> load(9)).as("byte %d", position).isInstanceOf(IOException.class);
            file.damage(position);
        }
    }

    private MembersFile load(long lastIndex) throws IOException {
        MembersFile members = new MembersFile(file);
        members.load(lastIndex, ALONE);
        return members;
    }
}
