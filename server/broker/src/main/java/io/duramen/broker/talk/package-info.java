/** How shards that are led by different nodes talk: words that are heard once and in order, for as long as both lead on. */
package io.duramen.broker.talk;
