package io.duramen.servers.app;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Forwards what its own durable subscription of {@code prices} gets. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "prices"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
            @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "prices"),
            @ActivationConfigProperty(propertyName = "clientId", propertyValue = "desk")
        })
public class DeskBean implements MessageListener {
    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try {
            context.createProducer().send(context.createQueue("prices.read"), message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
