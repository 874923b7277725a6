package io.duramen.acceptance.manager;

import io.duramen.jms.DuramenXAConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * The process that has the transaction manager and the database, made to be killed. It says on its output what has become of
 * it, a line each: {@code #ready}, {@code #moved} for each transaction that has committed, {@code #halted} and a step,
 * {@code #broken} and why, and in the end {@code #parked}, {@code #trail} and {@code #finished}. On its input it takes
 * {@code halt} and a step, and {@code finish}; it ends with its input.
 */
final class Application implements TokenMover.Observer {
    static final String NODE = "node";
    static final String DATABASE = "database";

    private static final int MOVERS = 4;
    private static final long PAUSE_MILLIS = 100;
    private static final int QUIET_ROUNDS = 2;

    /** Whatever else is printed goes where errors go. */
    private static final PrintStream WORDS = System.out;

    private final Steps steps = new Steps(step -> say("#halted " + step));
    private final DuramenXAConnectionFactory factory;
    private final TokenDatabase database;
    private final XAResource nodeBranches;
    private final XAResource databaseBranches;
    private final Narayana narayana;
    private final List<TokenMover> movers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean finishing;

    private Application(String url, Path directory, long seed) throws Exception {
        factory = new DuramenXAConnectionFactory(url);
        database = new TokenDatabase(directory);
        XAConnection connection = connected();
        nodeBranches = connection.createXASession().getXAResource();
        databaseBranches = new DatabaseResource(database.connect().getXAResource(), true);
        Steps.Progress none = new Steps(step -> {}).begin();
        narayana = new Narayana(
                directory.resolve("transactions"),
                List.of(
                        // First what is always there: its branches have been seen for long when the node is back.
                        new NamedResource(DATABASE, databaseBranches, none),
                        new NamedResource(NODE, nodeBranches, none)));
        TokenMover.Shared shared = new TokenMover.Shared(narayana.transactions(), database, steps, this);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < MOVERS; i++) {
            XAConnection own = connected();
            movers.add(new TokenMover(i, shared, own, random.split()));
            own.start();
        }
    }

    /** @param arguments url, directory, seed */
    public static void main(String[] arguments) throws Exception {
        System.setOut(System.err);
        Application application = new Application(arguments[0], Path.of(arguments[1]), Long.parseLong(arguments[2]));
        application.start();
        say("#ready");
        application.obey();
        Runtime.getRuntime().halt(0);
    }

    private static synchronized void say(String line) {
        WORDS.println(line);
        WORDS.flush();
    }

    /** The node may be on its way back. */
    private XAConnection connected() throws InterruptedException {
        while (true) {
            try {
                return factory.createXAConnection();
            } catch (JMSException e) {
                new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    private void start() {
        for (TokenMover mover : movers) {
            Thread thread = new Thread(mover, "mover-" + threads.size());
            threads.add(thread);
            thread.start();
        }
        new Thread(this::recover, "recovery").start();
    }

    private void obey() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("finish")) {
                finishing = true;
            } else {
                steps.arm(Step.valueOf(line.substring("halt ".length())));
            }
        }
    }

    // ---- recovery, and the end -------------------------------------------------------------------------------------

    private void recover() {
        try {
            while (!finishing) {
                narayana.recover();
            }
            movers.forEach(TokenMover::stop);
            for (Thread thread : threads) {
                thread.join();
            }
            for (int quiet = 0; quiet < QUIET_ROUNDS; quiet = isQuiet() ? quiet + 1 : 0) {
                narayana.recover();
            }
            database.parked().forEach(token -> say("#parked " + token));
            database.trail().forEach(line -> say("#trail " + line));
            say("#finished");
        } catch (Exception | Error e) {
            broken(e);
        }
    }

    private boolean isQuiet() throws Exception {
        return narayana.isLogEmpty() && prepared(nodeBranches) == 0 && prepared(databaseBranches) == 0;
    }

    private static int prepared(XAResource branches) {
        try {
            return branches.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN).length;
        } catch (XAException e) {
            return Integer.MAX_VALUE; // away: asked again
        }
    }

    @Override
    public void moved() {
        say("#moved");
    }

    @Override
    public void broken(Throwable reason) {
        StringWriter text = new StringWriter();
        reason.printStackTrace(new PrintWriter(text));
        say("#broken " + text.toString().replace('\n', '|'));
    }
}
