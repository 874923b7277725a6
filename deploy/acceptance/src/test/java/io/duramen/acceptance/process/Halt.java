package io.duramen.acceptance.process;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Halts a JVM, all threads of it, where a thread of it comes to a step, through its debugger's port. One thread at a time. */
final class Halt implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final VirtualMachine machine;

    private Halt(VirtualMachine machine) {
        this.machine = machine;
    }

    /** @param port on loopback */
    static Halt attach(int port) throws IOException {
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = sockets.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(Integer.toString(port));
        try {
            return new Halt(sockets.attach(arguments));
        } catch (IllegalConnectorArgumentsException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns when it is halted there, for the so manyth time that a thread has come by. */
    void at(NodeStep step, int times) throws InterruptedException {
        for (Method method : machine.classesByName(step.type()).get(0).methodsByName(step.method())) {
            if (!method.isAbstract()) {
                haltAt(method.location(), times);
            }
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            long left = deadline - System.nanoTime();
            EventSet events = left <= 0 ? null : machine.eventQueue().remove(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            if (events == null) {
                throw new IllegalStateException("nobody came to " + step + " for the time no. " + times);
            }
            for (Event event : events) {
                if (event instanceof BreakpointEvent) {
                    return;
                }
            }
            events.resume();
        }
    }

    private void haltAt(Location location, int times) {
        BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(location);
        request.addCountFilter(times);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
    }

    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException e) {
            // It is gone, as was meant.
        }
    }
}
