/**
 * The conversation with a node, below JMS: framing, handshake, heartbeats, requests and their answers, and coming back
 * after a lost connection. The only package that knows Netty. Sessions see {@link io.duramen.jms.link.Link}.
 */
package io.duramen.jms.link;
