/** What the node shows and does through JMX: MXBeans over the shards' counters and what operators ask of the shards. */
package io.duramen.node.management;
