package io.duramen.servers.app;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConnectionFactoryDefinition;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSDestinationDefinition;
import jakarta.jms.Queue;
import jakarta.resource.AdministeredObjectDefinition;
import jakarta.resource.ConnectionFactoryDefinition;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Sends what it is asked to, by factories and to queues that the application itself defines. */
@WebServlet("/defined")
@JMSConnectionFactoryDefinition(
        name = "java:app/jms/factory",
        interfaceName = "jakarta.jms.ConnectionFactory",
        resourceAdapter = "duramen-ra")
@JMSDestinationDefinition(
        name = "java:app/jms/queue",
        interfaceName = "jakarta.jms.Queue",
        className = "io.duramen.jms.destination.DuramenQueue",
        destinationName = "defined",
        properties = "Name=defined",
        resourceAdapter = "duramen-ra")
@ConnectionFactoryDefinition(
        name = "java:app/ra/factory",
        interfaceName = "jakarta.jms.ConnectionFactory",
        resourceAdapter = "duramen-ra")
@AdministeredObjectDefinition(
        name = "java:app/ra/queue",
        className = "io.duramen.jms.destination.DuramenQueue",
        interfaceName = "jakarta.jms.Queue",
        properties = "Name=defined",
        resourceAdapter = "duramen-ra")
public class DefinitionsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Resource(lookup = "java:app/jms/factory")
    private transient ConnectionFactory factory;

    @Resource(lookup = "java:app/jms/queue")
    private transient Queue queue;

    @Resource(lookup = "java:app/ra/factory")
    private transient ConnectionFactory otherFactory;

    @Resource(lookup = "java:app/ra/queue")
    private transient Queue otherQueue;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        try (JMSContext context = factory.createContext();
                JMSContext other = otherFactory.createContext()) {
            context.createProducer().send(queue, text + " by the one");
            other.createProducer().send(otherQueue, text + " by the other");
        }
    }
}
