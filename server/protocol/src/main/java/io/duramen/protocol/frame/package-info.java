/**
 * The frames, one file a conversation. A record is the schema: components in order are the wire form (see
 * {@link io.duramen.protocol.Codec}), their Javadoc is the reference.
 *
 * <p>The grammar of a connection; the server answers every request exactly once, in any order, by its correlation id:
 *
 * <pre>
 *   client -&gt; Hello, Authenticate, [ Identify ], *[ conversation | Ping ], [ Close ]
 *   server &lt;- Hello, Authenticate, [ Identify ], *[ conversation | Ping ], [ Close ]
 *
 *   defining:   client -&gt; *[ ResolveDestination | CreateTemporary | DeleteDestination | Unsubscribe ]
 *   producing:  client -&gt; ResolveDestination, *[ StorePart | Publish | Commit | Prepare | DropBody
 *                          | TransactionOutcome | FindDedupId ]
 *               server &lt;- *[ SendAgain | answers ]
 *   consuming:  client -&gt; Attach,   *[ Credit | Settle | FetchPart | Commit | Prepare ],   Detach
 *               server &lt;- Attached, *[ Deliver | Drained | Recall | EndConsumer | answers ], Detached
 *   with an identity: client -&gt; InitProducer, then as any producer and consumer
 *   by halves: client -&gt; ResolveDestination, *[ PrepareHalf | EndHalf | ListHalves ]
 *   checking:   client -&gt; *[ AwaitChecks | EndHalf ]
 *   resolving:  client -&gt; *[ ListBranches | EndBranch ]
 *   browsing:   client -&gt; ResolveDestination, *[ Browse | FetchPart ]
 * </pre>
 *
 * Any request may be answered with Failure instead. The parts of a body are stored before the message that names them.
 *
 * A Deliver never exceeds the credit granted; a Settle may name only what the consumer holds, or held before it lost
 * its connection. Frames of one connection about one shard are handled in the order in which they were sent.
 */
package io.duramen.protocol.frame;
