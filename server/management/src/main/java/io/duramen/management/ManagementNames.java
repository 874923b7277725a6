package io.duramen.management;

import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Names of the MXBeans: {@code io.duramen:type=TYPE,node=NODE}, for a shard {@code io.duramen:type=Shard,node=NODE,shard=N}. NODE is
 * {@code node.name}; of several nodes of that name in one JVM the first alone has it, the others NAME@PORT.
 */
public final class ManagementNames {
    public static final String DOMAIN = "io.duramen";

    private ManagementNames() {}

    /** @param type the interface's name without MXBean, as {@code Destinations} */
    public static ObjectName of(String type, String node) {
        return name(DOMAIN + ":type=" + type + ",node=" + value(node));
    }

    public static ObjectName ofShard(String node, int shard) {
        return name(DOMAIN + ":type=Shard,node=" + value(node) + ",shard=" + shard);
    }

    private static String value(String text) {
        boolean plain = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && ",=:\"*?".indexOf(c) < 0 && c != '\n');
        return plain ? text : ObjectName.quote(text);
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("'" + text + "' cannot be the name of an MBean", e);
        }
    }
}
