package io.duramen.servers.app;

import jakarta.ejb.EJBException;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Beans under load: each forwards what is in a queue of its own to another, in the transaction of the delivery. */
public abstract class LoadBean implements MessageListener {
    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    /** Name of the queue that it forwards to. */
    protected String out() {
        return "load.out";
    }

    @Override
    public void onMessage(Message message) {
        try {
            context.createProducer()
                    .setProperty(EchoBean.COUNT, message.getIntProperty("JMSXDeliveryCount"))
                    .send(context.createQueue(out()), message.getBody(String.class));
        } catch (JMSException e) {
            throw new EJBException(e);
        }
    }
}
