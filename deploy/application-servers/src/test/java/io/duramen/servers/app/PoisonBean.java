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

/** Cannot digest what is in {@code poison.in}, unless it says {@code food}; that it forwards. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "poison.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue")
        })
public class PoisonBean implements MessageListener {
    @Resource
    private MessageDrivenContext container;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try {
            String text = message.getBody(String.class);
            context.createProducer().send(context.createQueue("poison.out"), text);
            if (!"food".equals(text)) {
                container.setRollbackOnly();
            }
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
