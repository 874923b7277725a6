package io.duramen.jms.session;

import io.duramen.jms.link.Call;
import io.duramen.jms.link.Link;
import io.duramen.protocol.frame.EndHalf;
import io.duramen.protocol.frame.HalfId;
import io.duramen.protocol.frame.ListHalves;
import jakarta.jms.JMSException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Any thread. Which shard has a half message, and under which name; as text, what applications keep. */
record HalfPlace(int shard, HalfId id) {
    /** @throws JMSException where the text is none of {@link #toString} */
    static HalfPlace parse(String text) throws JMSException {
        int dash = text == null ? -1 : text.indexOf('-');
        try {
            if (dash > 0) {
                return new HalfPlace(Integer.parseInt(text.substring(0, dash)), HalfId.parse(text.substring(dash + 1)));
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new JMSException("'" + text + "' is no id of a half message");
    }

    /** How many shards the node has. */
    static int shards(Link link) {
        return link.limits().shards();
    }

    /** Of all shards. */
    static List<HalfMessageState> list(Link link) throws JMSException {
        List<HalfMessageState> all = new ArrayList<>();
        for (int shard = 0; shard < shards(link); shard++) {
            all.addAll(list(link, shard));
        }
        return all;
    }

    private static List<HalfMessageState> list(Link link, int shard) throws JMSException {
        List<HalfMessageState> all = new ArrayList<>();
        int listed;
        do {
            ListHalves.Request page = new ListHalves.Request(shard, all.size());
            List<ListHalves.Half> halves =
                    Call.ask(link, page, ListHalves.Response.class).halves();
            for (ListHalves.Half half : halves) {
                all.add(new HalfMessageState(
                        new HalfPlace(shard, half.id()).toString(),
                        half.group(),
                        half.destination(),
                        Instant.ofEpochMilli(half.preparedMillis()),
                        half.asks(),
                        half.parked()));
            }
            listed = halves.size();
        } while (listed == ListHalves.PAGE_MAX);
        return all;
    }

    void end(Link link, boolean confirm) throws JMSException {
        Call.ask(link, new EndHalf.Request(shard, id, confirm), EndHalf.Response.class);
    }

    @Override
    public String toString() {
        return shard + "-" + id;
    }
}
