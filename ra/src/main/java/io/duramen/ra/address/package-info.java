/** Where the node is and who logs in there, as each part of the adapter may say it. */
package io.duramen.ra.address;
