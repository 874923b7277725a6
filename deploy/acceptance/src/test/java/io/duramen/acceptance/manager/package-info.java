/** An application with a transaction manager and a database of its own, killed as the server is. */
package io.duramen.acceptance.manager;
