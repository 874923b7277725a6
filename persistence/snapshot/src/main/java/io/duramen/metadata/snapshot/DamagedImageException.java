package io.duramen.metadata.snapshot;

/** Bytes that are not the image they should be; the message completes "the image is damaged: …". */
final class DamagedImageException extends RuntimeException {
    DamagedImageException(String message) {
        super(message);
    }
}
