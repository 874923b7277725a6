/** A node inside the application server, for who wants no other process. */
package io.duramen.ra.embedded;
