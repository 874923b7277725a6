/**
 * Messages and their records: headers, properties and bodies under the rules of Jakarta Messaging 3.1, encoded once at
 * send ({@link io.duramen.jms.message.MessageEncoder}) and read lazily from the record after receipt
 * ({@link io.duramen.jms.message.MessageDecoder}).
 */
package io.duramen.jms.message;
