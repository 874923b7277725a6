/** The resource adapter: the client behind the contracts of Jakarta Connectors. It translates, and re-implements nothing. */
package io.duramen.ra;
