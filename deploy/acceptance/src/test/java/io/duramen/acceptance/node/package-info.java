/** A node as its operator and its first users meet it: start, stop, refusals, backlog, examples. */
package io.duramen.acceptance.node;
