package io.duramen.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MainTest {
    @TempDir
    Path scratch;

    @Test
    void shouldStartRefuseASecondNodeAndStopCleanlyInAProcessOfItsOwn() throws Exception {
        try (NodeProcess node = NodeProcess.startAndAwait(scratch)) {
            new Socket(InetAddress.getLoopbackAddress(), node.port()).close();
            assertThat(Files.readString(data().resolve("admin-secret")).trim()).hasSizeGreaterThan(20);
            try (NodeProcess second = NodeProcess.run(scratch, "start", "--data", data().toString(), "--port", "0")) {
                assertThat(second.exitCode()).isEqualTo(73);
            }
            assertThat(node.errors()).contains("is in use by another node");
            assertThat(Main.execute("stop", "--data", data().toString())).isZero();
            assertThat(node.exitCode()).isZero();
            assertThat(node.errors()).contains("has stopped").doesNotContain("ERROR");
        }
        assertThat(data().resolve("node.pid")).doesNotExist();
        assertThat(Main.execute("stop", "--data", data().toString())).isZero();
    }

    @Test
    void shouldStartAgainAfterItWasKilledAndEndWithZeroOnSigterm() throws Exception {
        try (NodeProcess node = NodeProcess.startAndAwait(scratch)) {
            node.kill();
        }
        assertThat(data().resolve("node.pid")).exists();
        // A pid file that was left behind does not make us signal anybody.
        assertThat(Main.execute("stop", "--data", data().toString())).isZero();
        try (NodeProcess node = NodeProcess.startAndAwait(scratch, "-D", "node.name=second")) {
            assertThat(node.errors()).contains("node.name=second (command line)");
            node.terminate();
            assertThat(node.exitCode()).isZero();
        }
    }

    @Test
    void shouldNameWhatIsWrongWhenASettingIs() {
        assertThat(Main.execute("start", "--data", data().toString(), "-D", "log.snyc=always"))
                .isEqualTo(78);
        assertThat(Main.execute("start", "--data", data().toString(), "-D", "network.host=0.0.0.0"))
                .isEqualTo(78);
        assertThat(Main.execute("start", "--colour", "blue")).isEqualTo(64);
        assertThat(Main.execute()).isEqualTo(64);
    }

    @Test
    void shouldSayThatThePortIsTakenWhenItIs() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(Main.execute("start", "--data", data().toString(), "--port", port))
                    .isEqualTo(69);
        }
    }

    @Test
    void shouldAddListAndRemoveUsersWithoutAPasswordOnTheCommandLine() throws Exception {
        try (NodeProcess add =
                NodeProcess.run(scratch, "user", "add", "ann", "--data", data().toString(), "--iterations", "10000")) {
            add.input("secret\n");
            assertThat(add.exitCode()).isZero();
        }
        assertThat(Files.readString(data().resolve("users"))).contains("ann:").doesNotContain("secret");
        assertThat(Main.execute("user", "list", "--data", data().toString())).isZero();
        assertThat(Main.execute("user", "remove", "ann", "--data", data().toString()))
                .isZero();
        assertThat(Main.execute("user", "remove", "ann", "--data", data().toString()))
                .isEqualTo(64);
    }

    @Test
    void shouldPrintVersionAndSettings() {
        assertThat(Main.execute("version")).isZero();
        assertThat(Main.execute("settings")).isZero();
        assertThat(Main.execute("settings", "--sample")).isZero();
        assertThat(Version.current()).doesNotContain("$");
    }

    private Path data() {
        return scratch.resolve("data");
    }
}
