package io.duramen.log;

/**
 * A place in a file of the log where not what was written stands, or nothing that can be read. Immutable.
 *
 * @param position of the first entry that is not intact, as far as that is known; 0 where it is not
 * @param fromIndex the entries from this one on, to the end of the file, may be affected
 * @param what for people
 */
public record Damage(String file, long position, long fromIndex, String what) {
    @Override
    public String toString() {
        return file + " at position " + position + ": " + what;
    }
}
