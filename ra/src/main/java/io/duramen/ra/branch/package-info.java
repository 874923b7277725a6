/** Branches of distributed transactions, as both halves of the adapter look at them. */
package io.duramen.ra.branch;
