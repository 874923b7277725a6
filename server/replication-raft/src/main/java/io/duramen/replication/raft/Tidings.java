package io.duramen.replication.raft;

/** Who hears what other nodes tell. From any thread. */
final class Tidings {
    private volatile PeerNetwork.Told listener = (node, number, content) -> {};

    void listener(PeerNetwork.Told next) {
        listener = next;
    }

    void told(RaftPeer by, PeerFrame frame) {
        listener.told(by.name(), frame.number(), frame.content());
    }
}
