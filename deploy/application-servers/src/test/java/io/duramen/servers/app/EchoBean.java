package io.duramen.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Answers what is in {@code echo.in}, in the transaction in which it got it; rolls that back as often as it is asked. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "echo.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "4")
        })
public class EchoBean implements MessageListener {
    /** Property of a message: deliveries that are rolled back. */
    public static final String ROLLBACKS = "rollbacks";

    /** Property of an answer: how often its question had been delivered. */
    public static final String COUNT = "deliveries";

    @Resource
    private MessageDrivenContext container;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try {
            int count = message.getIntProperty("JMSXDeliveryCount");
            context.createProducer()
                    .setProperty(COUNT, count)
                    .send(context.createQueue("echo.out"), message.getBody(String.class));
            if (message.propertyExists(ROLLBACKS) && count <= message.getIntProperty(ROLLBACKS)) {
                container.setRollbackOnly();
            }
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
