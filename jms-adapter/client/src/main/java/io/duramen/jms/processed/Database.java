package io.duramen.jms.processed;

import java.util.List;

/**
 * How common databases want the table of {@link ProcessedMessages}. Ids are compared character by character everywhere: where a
 * database would take two that differ in case for the same, its column says otherwise, since a message would be lost.
 */
public enum Database {
    POSTGRESQL("VARCHAR(200)", "BIGINT"),
    /** Also MariaDB. */
    MYSQL("VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "BIGINT"),
    ORACLE("VARCHAR2(200 CHAR)", "NUMBER(19)"),
    SQL_SERVER("VARCHAR(200) COLLATE Latin1_General_100_BIN2", "BIGINT"),
    DB2("VARCHAR(200)", "BIGINT"),
    H2("VARCHAR(200)", "BIGINT"),
    DERBY("VARCHAR(200)", "BIGINT");

    private final String text;
    private final String number;

    Database(String text, String number) {
        this.text = text;
        this.number = number;
    }

    /** The statements that make the table {@value ProcessedMessages#TABLE}. */
    public List<String> ddl() {
        return ddl(ProcessedMessages.TABLE);
    }

    /**
     * The statements that make the table, for a migration or to be executed one by one.
     *
     * @throws IllegalArgumentException where the name is no plain name
     */
    public List<String> ddl(String table) {
        String name = ProcessedMessages.checkedTable(table);
        String index = name.substring(name.indexOf('.') + 1) + "_by_age";
        return List.of(
                "CREATE TABLE " + name + " (subscription " + text + " NOT NULL, message_id " + text
                        + " NOT NULL, processed_millis " + number
                        + " NOT NULL, PRIMARY KEY (subscription, message_id))",
                "CREATE INDEX " + index + " ON " + name + " (processed_millis)");
    }
}
