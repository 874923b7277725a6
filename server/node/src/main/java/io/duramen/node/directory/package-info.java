/** The data directory: whose it is, and where things lie in it. */
package io.duramen.node.directory;
