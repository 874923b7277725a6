package io.duramen.acceptance.manager;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.XAConnection;
import org.h2.jdbcx.JdbcDataSource;

/**
 * The application's own database: tokens that are parked in it, and a trail of all that any token has done. Its statements
 * belong to the transaction of the connection that they are given.
 */
final class TokenDatabase {
    private final JdbcDataSource source = new JdbcDataSource();

    /** Creates it where it is not there. */
    TokenDatabase(Path directory) throws SQLException {
        source.setURL("jdbc:h2:file:" + directory.resolve("tokens").toAbsolutePath()
                + ";DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=-1;WRITE_DELAY=0");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists parked(mover int, token varchar primary key)");
            statement.execute("create table if not exists trail(name varchar, move int, primary key(name, move))");
        }
    }

    XAConnection connect() throws SQLException {
        return source.getXAConnection();
    }

    /** Notes the move that has made the token what it is. A second one like it is refused. */
    void note(Connection connection, Token token) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into trail values(?, ?)")) {
            insert.setString(1, token.name());
            insert.setInt(2, token.moves());
            insert.execute();
        }
    }

    /** Parks it for that mover, which alone takes it out. */
    void park(Connection connection, int mover, Token token) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into parked values(?, ?)")) {
            insert.setInt(1, mover);
            insert.setString(2, token.toString());
            insert.execute();
        }
    }

    Optional<Token> unpark(Connection connection, int mover) throws SQLException {
        String found;
        try (PreparedStatement select =
                connection.prepareStatement("select token from parked where mover = ? order by token limit 1")) {
            select.setInt(1, mover);
            try (ResultSet result = select.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                found = result.getString(1);
            }
        }
        try (PreparedStatement delete = connection.prepareStatement("delete from parked where token = ?")) {
            delete.setString(1, found);
            return delete.executeUpdate() == 1 ? Optional.of(Token.of(found)) : Optional.empty();
        }
    }

    /** All that are parked. */
    List<String> parked() throws SQLException {
        return column("select token from parked order by token");
    }

    /** Of each token that has moved, its name, how many moves are noted, and the last of them. */
    List<String> trail() throws SQLException {
        return column("select name || ' ' || count(*) || ' ' || max(move) from trail group by name order by name");
    }

    private List<String> column(String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
        }
        return values;
    }
}
