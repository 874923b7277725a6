import java.util.Map;
import java.util.TreeSet;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Shows what a node shows, and the queues of a pattern, then its alerts until Enter: by what the JDK has, and nothing else. */
public class Console {
    public static void main(String[] arguments) throws Exception {
        JMXServiceURL url = new JMXServiceURL(arguments[0]);
        String[] credentials = {arguments[1], System.getenv("DURAMEN_PASSWORD")};
        try (JMXConnector connector =
                JMXConnectorFactory.connect(url, Map.of(JMXConnector.CREDENTIALS, credentials))) {
            MBeanServerConnection node = connector.getMBeanServerConnection();
            for (ObjectName bean : new TreeSet<>(node.queryNames(new ObjectName("io.duramen:*"), null))) {
                for (MBeanAttributeInfo one : node.getMBeanInfo(bean).getAttributes()) {
                    Object value = node.getAttribute(bean, one.getName());
                    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
                        System.out.println(bean.getKeyProperty("type") + "." + one.getName() + " = " + value);
                    }
                }
            }
            CompositeData page = (CompositeData) node.invoke(
                    bean(node, "Destinations"),
                    "list",
                    new Object[] {arguments[2], "", 100},
                    new String[] {"java.lang.String", "java.lang.String", "int"});
            for (CompositeData row : (CompositeData[]) page.get("rows")) {
                System.out.println(row.get("name") + " has " + row.get("messages") + " messages");
            }
            node.addNotificationListener(
                    bean(node, "Alerts"), (alert, none) -> System.out.println(alert.getMessage()), null, null);
            System.in.read();
        }
    }

    private static ObjectName bean(MBeanServerConnection node, String type) throws Exception {
        return node.queryNames(new ObjectName("io.duramen:type=" + type + ",*"), null).iterator().next();
    }
}
