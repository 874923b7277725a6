package io.duramen.servers.app;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.ApplicationException;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Forwards what is in {@code telling.in}, and throws an application exception with which all of that commits. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "telling.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue")
        })
public class TellingBean implements MessageListener {
    /** Nothing is undone for it. */
    @ApplicationException
    public static class Told extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try {
            context.createProducer()
                    .setProperty(EchoBean.COUNT, message.getIntProperty("JMSXDeliveryCount"))
                    .send(context.createQueue("telling.out"), message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
        throw new Told();
    }
}
