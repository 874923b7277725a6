/** What Jakarta Messaging 3.1 asks of a provider, by its chapters, against a node. */
package io.duramen.node.conformance;
