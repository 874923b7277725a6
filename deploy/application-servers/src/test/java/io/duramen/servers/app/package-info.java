/** The application that the servers run. */
package io.duramen.servers.app;
