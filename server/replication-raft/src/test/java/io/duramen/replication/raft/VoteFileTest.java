package io.duramen.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VoteFileTest {
    private static final PeerId ONE = new PeerId("127.0.0.1", 1);
    private static final PeerId TWO = new PeerId("127.0.0.1", 2);

    @TempDir
    Path directory;

    private final FaultyFile file = new FaultyFile();
    private final List<IOException> told = new ArrayList<>();

    @Test
    void shouldKnowEpochAndVoteWhenLoadedAgain() throws IOException {
        PathFile real = new PathFile(directory.resolve("vote"));
        load(real, 0).setTermAndVotedFor(7, ONE);
        VoteFile again = load(real, 0);

        assertThat(again.getTerm()).isEqualTo(7);
        assertThat(again.getVotedFor()).isEqualTo(ONE);
        again.setTermAndVotedFor(8, PeerId.emptyPeer());
        assertThat(load(real, 0).getVotedFor().isEmpty()).isTrue();
    }

    @Test
    void shouldBeginBehindTheLogWhenThatHadNoEngineBefore() throws IOException {
        VoteFile vote = load(file, 5);

        assertThat(vote.getTerm()).isEqualTo(5);
        assertThat(vote.getVotedFor().isEmpty()).isTrue();
    }

    @Test
    void shouldNotVoteTwiceInAnEpochNorGoBack() throws IOException {
        VoteFile vote = load(file, 0);
        vote.setTermAndVotedFor(3, ONE);

        assertThatThrownBy(() -> vote.setVotedFor(TWO)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> vote.setTermAndVotedFor(2, TWO)).isInstanceOf(IllegalStateException.class);
        assertThat(load(file, 0).getVotedFor()).isEqualTo(ONE);
    }

    @Test
    void shouldVoteForNobodyWhenItIsRefused() throws IOException {
        VoteFile vote = load(file, 0);
        vote.setTermAndVotedFor(3, ONE);
        vote.refuse(new IOException("the log cannot be read"));

        assertThatThrownBy(() -> vote.setTermAndVotedFor(4, TWO)).isInstanceOf(UncheckedIOException.class);
        assertThat(vote.getTerm()).isEqualTo(3);
        assertThat(load(file, 0).getVotedFor()).isEqualTo(ONE);
    }

    @Test
    void shouldWriteNothingWhenNothingIsNew() throws IOException {
        VoteFile vote = load(file, 0);
        vote.setTermAndVotedFor(3, ONE);
        vote.setTermAndVotedFor(3, ONE);

        assertThat(file.writes()).isEqualTo(2);
    }

    @Test
    void shouldVoteNeverAgainAndTellWhenAWriteFailed() throws IOException {
        VoteFile vote = load(file, 0);
        file.fail();
        assertThatThrownBy(() -> vote.setTermAndVotedFor(3, ONE)).isInstanceOf(UncheckedIOException.class);
        file.mend();

        assertThatThrownBy(() -> vote.setTermAndVotedFor(4, TWO)).isInstanceOf(UncheckedIOException.class);
        assertThat(vote.getTerm()).isZero();
        assertThat(told).hasSize(1);
        assertThat(file.writes()).isEqualTo(1);
    }

    @Test
    void shouldRefuseToLoadWhenItIsGoneThoughItMayHaveVoted() throws IOException {
        VoteFile vote = new VoteFile(file, 0, told::add);
        assertThatThrownBy(() -> vote.load(true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("missing");
        load(file, 0);
        vote.load(true);
    }

    @Test
    void shouldRefuseToLoadWhenAnyBitIsFlipped() throws IOException {
        load(file, 0).setTermAndVotedFor(3, ONE);
        int length = file.read().orElseThrow().limit();
        for (int position = 0; position < length; position++) {
            file.damage(position);
            assertThatThrownBy(() -> load(file, 0)).as("byte %d", position).isInstanceOf(IOException.class);
            file.damage(position);
        }
        assertThat(load(file, 0).getTerm()).isEqualTo(3);
    }

    @Test
    void shouldRefuseToLoadWhenItIsCutOff() throws IOException {
        load(file, 0).setTermAndVotedFor(3, ONE);
        ByteBuffer whole = file.read().orElseThrow();
        for (int length = 0; length < whole.limit(); length++) {
            file.replace(whole.duplicate().limit(length));
            assertThatThrownBy(() -> load(file, 0)).as("%d bytes", length).isInstanceOf(IOException.class);
        }
    }

    private VoteFile load(SmallFile from, long epochMin) throws IOException {
        VoteFile vote = new VoteFile(from, epochMin, told::add);
        vote.load(false);
        return vote;
    }
}
