package io.duramen.jms.message;

import java.util.Locale;
import java.util.Set;

/** Any thread: holds nothing. Which names a property may have: those that a selector can say. */
public final class PropertyNames {
    public static final String GROUP_ID = "JMSXGroupID";
    public static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    public static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    public static final String RECEIVED_AT = "JMSXRcvTimestamp";
    public static final String USER_ID = "JMSXUserID";

    /** String: of messages with the same one, a destination stores one. */
    public static final String DEDUP_ID = "JMS_Duramen_DedupId";

    /** What another server calls it. */
    public static final String DEDUP_ID_ALIAS = "_AMQ_DUPL_ID";

    private static final Set<String> RESERVED_WORDS =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");
    private static final int LONGEST_RESERVED_WORD = 7;

    private PropertyNames() {}

    /**
     * @throws IllegalArgumentException for null, the empty name, one that is no selector identifier or is a reserved
     *     word of selectors, and one that begins with JMS but with neither JMSX nor JMS_, which are names of headers
     */
    public static void check(String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property needs a name");
        }
        if (!isIdentifier(name)) {
            throw new IllegalArgumentException("property name '" + name + "' is not an identifier");
        }
        if (name.length() <= LONGEST_RESERVED_WORD && RESERVED_WORDS.contains(name.toUpperCase(Locale.ROOT))) {
            throw new IllegalArgumentException("property name '" + name + "' is a reserved word of selectors");
        }
        if (isHeader(name)) {
            throw new IllegalArgumentException("property name '" + name + "' is reserved for headers");
        }
    }

    private static boolean isIdentifier(String name) {
        if (!Character.isJavaIdentifierStart(name.charAt(0))) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Begins with JMS, but is neither a property that the specification defines nor a provider's. */
    static boolean isHeader(String name) {
        return name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_");
    }
}
