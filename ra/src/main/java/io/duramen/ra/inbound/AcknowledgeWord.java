package io.duramen.ra.inbound;

import jakarta.jms.Session;

/** Any thread: holds nothing. How an activation spec says the mode of deliveries outside of transactions. */
final class AcknowledgeWord {
    private AcknowledgeWord() {}

    private static boolean isAutomatic(String word) {
        return word == null
                || word.isBlank()
                || word.equalsIgnoreCase("Auto-acknowledge")
                || word.equals("AUTO_ACKNOWLEDGE")
                || word.equals(String.valueOf(Session.AUTO_ACKNOWLEDGE));
    }

    private static boolean isLazy(String word) {
        return word.equalsIgnoreCase("Dups-ok-acknowledge")
                || word.equals("DUPS_OK_ACKNOWLEDGE")
                || word.equals(String.valueOf(Session.DUPS_OK_ACKNOWLEDGE));
    }

    static boolean isOne(String word) {
        return isAutomatic(word) || isLazy(word);
    }

    static int number(String word) {
        return isAutomatic(word) ? Session.AUTO_ACKNOWLEDGE : Session.DUPS_OK_ACKNOWLEDGE;
    }
}
