package io.duramen.servers.app;

import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.ApplicationException;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Forwards what is in {@code telling.in}, and throws an application exception with which all of that commits. */
@MessageDriven(
        messageListenerInterface = MessageListener.class,
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "telling.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue")
        })
public class TellingBean extends LoadBean {
    /** Nothing is undone for it. */
    @ApplicationException
    public static class Told extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    protected String out() {
        return "telling.out";
    }

    @Override
    public void onMessage(Message message) {
        super.onMessage(message);
        throw new Told();
    }
}
