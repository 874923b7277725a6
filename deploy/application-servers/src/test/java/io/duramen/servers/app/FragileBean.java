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

/** Forwards what is in {@code fragile.in}, with the count of deliveries; fails while it {@link FragileServlet is told} to. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "fragile.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "maxSessions", propertyValue = "1"),
            @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "3"),
            @ActivationConfigProperty(propertyName = "failurePauseMillis", propertyValue = "300"),
            @ActivationConfigProperty(propertyName = "failurePauseMaxMillis", propertyValue = "300")
        })
public class FragileBean implements MessageListener {
    @Resource
    private MessageDrivenContext container;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try {
            if (FragileServlet.fails()) {
                container.setRollbackOnly();
                return;
            }
            context.createProducer()
                    .setProperty(EchoBean.COUNT, message.getIntProperty("JMSXDeliveryCount"))
                    .send(context.createQueue("fragile.out"), message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
