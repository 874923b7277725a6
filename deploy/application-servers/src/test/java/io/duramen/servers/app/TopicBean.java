package io.duramen.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.EJBException;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;

/** Forwards what its durable, shared subscription of {@code news} selects. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "news"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
            @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "readers"),
            @ActivationConfigProperty(propertyName = "sharedSubscription", propertyValue = "true"),
            @ActivationConfigProperty(propertyName = "messageSelector", propertyValue = "weight > 10")
        })
public class TopicBean implements MessageListener {
    @Resource(name = "jms/Duramen")
    private ConnectionFactory factory;

    @Override
    public void onMessage(Message message) {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            session.createProducer(session.createQueue("news.read"))
                    .send(session.createTextMessage(message.getBody(String.class)));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
