/**
 * Programs that are documentation: each is complete, uses nothing but the Jakarta Messaging API (and the name of the
 * connection factory), and takes the server's URL as its only argument.
 */
package io.duramen.examples;
