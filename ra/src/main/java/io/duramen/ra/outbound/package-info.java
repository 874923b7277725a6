/** Connections that an application server makes, pools and enlists, and the handles that applications have on them. */
package io.duramen.ra.outbound;
