/** Message bytes: encoded once by the producer, and the same on the wire, on disk and at the consumer. */
package io.duramen.protocol.record;
