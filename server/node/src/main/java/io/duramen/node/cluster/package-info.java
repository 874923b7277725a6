/** The cluster that this node is one of: who belongs to it, and the replicas' logs. */
package io.duramen.node.cluster;
