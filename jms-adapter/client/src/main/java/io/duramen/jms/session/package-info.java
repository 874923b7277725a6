/** The Jakarta Messaging objects: connections, sessions, producers, consumers, and the simplified API over them. */
package io.duramen.jms.session;
