/** Everything of the command line that does not start a node. */
package io.duramen.node.command;
