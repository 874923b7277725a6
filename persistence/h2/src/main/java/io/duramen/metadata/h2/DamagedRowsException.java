package io.duramen.metadata.h2;

/** Rows that are not those that were stored; the message completes "the metadata store is damaged: …". */
final class DamagedRowsException extends RuntimeException {
    DamagedRowsException(String message) {
        super(message);
    }
}
