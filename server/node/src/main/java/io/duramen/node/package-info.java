/** A node: how its parts are wired, started, stopped and embedded, and the command line. */
package io.duramen.node;
