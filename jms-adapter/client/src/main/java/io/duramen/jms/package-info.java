/** What an application configures: the connection factory and its options, and how JNDI finds it. */
package io.duramen.jms;
