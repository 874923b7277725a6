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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Puts what is in {@code store.in} into a database, and says in {@code store.out} how often it is there now. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "store.in"),
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue")
        })
public class StoreBean implements MessageListener {
    @Resource
    private MessageDrivenContext container;

    @Resource(lookup = "java:app/orders")
    private DataSource database;

    @Inject
    @JMSConnectionFactory("java:comp/env/jms/Duramen")
    private JMSContext context;

    @Override
    public void onMessage(Message message) {
        try (Connection connection = database.getConnection()) {
            String text = message.getBody(String.class);
            int count = message.getIntProperty("JMSXDeliveryCount");
            update(connection, "create table if not exists stored(text varchar)");
            update(connection, "insert into stored values('" + text + "')");
            context.createProducer()
                    .setProperty(EchoBean.COUNT, count)
                    .send(context.createQueue("store.out"), String.valueOf(rows(connection, text)));
            if (count <= message.getIntProperty(EchoBean.ROLLBACKS)) {
                container.setRollbackOnly();
            }
        } catch (JMSException | SQLException e) {
            throw new EJBException(e);
        }
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        }
    }

    private static int rows(Connection connection, String text) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("select count(*) from stored where text = '" + text + "'");
                ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getInt(1);
        }
    }
}
