package io.duramen.acceptance.manager;

/**
 * Immutable. A token after so many moves.
 *
 * @param name without a slash
 */
record Token(String name, int moves) {
    /** As {@link #toString} wrote it; a bare name has not moved. */
    static Token of(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new Token(text, 0)
                : new Token(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
    }

    Token moved() {
        return new Token(name, moves + 1);
    }

    @Override
    public String toString() {
        return name + "/" + moves;
    }
}
