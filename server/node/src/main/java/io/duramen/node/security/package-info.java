/** Who may log in: users with salted hashes, the admin's first secret, and the rule about anonymous access. */
package io.duramen.node.security;
