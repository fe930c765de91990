/**
 * The streams that keep outbox messages: one for each node, with a consumer that hands it what is in it. One for all would let a node that
 * settles its own outbox messages settle those of others, by their numbers. Under `nats.conf` they lie in an account of their own, where
 * only an operator's user may make or change them. Elsewhere a node makes what it lacks, and changes nothing.
 */
import { unreachable } from '../refusals.js'
import { type JetStream, NANOSECONDS } from './jetstream.js'

/** What the names of all these streams begin with. */
export const STREAM_PREFIX = 'ENGRAM_OUTBOX_'

const CONSUMER = 'node'

/** Milliseconds for one delivery before an outbox message comes again: a little more than the longest that an actor's work may take. */
const ACK_MS_MAX = 65_000

/** Outbox messages that a node has in hand at the same time: half of what one actor's mailbox takes. */
export const MESSAGES_AT_ONCE = 32

/**
 * Milliseconds for which an outbox message is kept, and in which its id counts once. Who wrote it delivers it without the stream after some
 * seconds, so a node that comes back later would only deliver again what was delivered long ago.
 */
const AGE_MS_MAX = 120_000

/** Bytes on the server's disk, for each node. The oldest go first: what is kept here was acknowledged to nobody. */
const BYTES_MAX = 32 * 1024 * 1024

/** Settings that would let outbox messages out of the stream, or others in. */
const FORBIDDEN = ['mirror', 'sources', 'republish', 'no_ack', 'sealed']

/** JetStream's errors for what is not there. */
const STREAM_MISSING = 10_059
const CONSUMER_MISSING = 10_014

/**
 * Outbox messages are delivered without their stream, so a node works without it: an event is only told late where a node ends that had it.
 */
export class MissingStream extends Error {
  constructor(node: string) {
    super(
      `Nothing keeps outbox messages for ${node}: the stream ${streamOf(node)} is not there, or nats.conf lets no outbox message reach it. As the user init, which ` +
        `may make streams: NATS_URL=nats://init:password@host:4222 npm run nats:init -- ${node} and the names of all other nodes`
    )
  }
}

/** The node's account writes its outbox messages into another one's stream, which is none of its business. */
const NOT_IN_THIS_ACCOUNT = 10_039

/** What an outbox message is called: whom it is for, and who wrote it. */
export function outboxTopic(to: string, from: string): string {
  return `engram.outbox.${to}.${from}`
}

/** Where a node gets its outbox messages. */
export function deliveryTopic(node: string): string {
  return `engram.nodes.${node}.outbox`
}

/** The stream of one node. */
export function streamOf(node: string): string {
  return `${STREAM_PREFIX}${node}`
}

/** Where the server wants to be told what became of a node's outbox messages: all that is called so. */
export function isSettling(topic: string, node: string): boolean {
  // $JS.ACK.<stream>.<consumer>.… and, from 2.10 on, $JS.ACK.<domain>.<account>.<stream>.<consumer>.…
  return topic.startsWith('$JS.ACK.') && topic.includes(`.${streamOf(node)}.${CONSUMER}.`)
}

export function streamConfig(node: string) {
  return {
    name: streamOf(node),
    subjects: [outboxTopic(node, '*')],
    retention: 'workqueue',
    storage: 'file',
    discard: 'old',
    max_age: AGE_MS_MAX * NANOSECONDS,
    max_bytes: BYTES_MAX,
    duplicate_window: AGE_MS_MAX * NANOSECONDS
  } as const
}

function consumerConfig(node: string) {
  return {
    durable_name: CONSUMER,
    deliver_subject: deliveryTopic(node),
    ack_policy: 'explicit',
    ack_wait: ACK_MS_MAX * NANOSECONDS,
    max_ack_pending: MESSAGES_AT_ONCE
  } as const
}

/** Where JetStream is asked for a node's consumer, or to make or delete it. */
export function consumerCall(call: 'INFO' | 'DURABLE.CREATE' | 'DELETE', node: string): string {
  return `CONSUMER.${call}.${streamOf(node)}.${CONSUMER}`
}

/** What makes it. */
export function consumerCreation(node: string): object {
  return { stream_name: streamOf(node), config: consumerConfig(node) }
}

/** Whether a consumer is as it has to be. */
export function isFitConsumer(node: string, config: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(consumerConfig(node)).every(([name, value]) => config[name] === value)
}

/** What is wrong with a node's stream, in a sentence for its operator; null when it is as it has to be. */
function streamProblem(node: string, config: Readonly<Record<string, unknown>>): string | null {
  const other = Object.entries(streamConfig(node)).filter(([name, value]) => JSON.stringify(config[name]) !== JSON.stringify(value))
  const names = [...other.map(([name]) => name), ...FORBIDDEN.filter((name) => isSet(config[name]))]
  return names.length === 0
    ? null
    : `The stream ${streamOf(node)} is not as it has to be (${names.join(', ')}): npm run nats:init puts it right`
}

/**
 * Makes sure that outbox messages for this node can be kept, as far as this is a node's business. Throws `unreachable` or `deadline_passed`
 * when JetStream does not answer, a plain Error with a sentence for the operator when the stream must not be used, and MissingStream when
 * there is none and only an operator can make it.
 */
export async function ensureOutbox(jetStream: JetStream, node: string): Promise<void> {
  const found = await jetStream.call(`STREAM.INFO.${streamOf(node)}`)
  if (found.error?.err_code === NOT_IN_THIS_ACCOUNT) {
    if (await jetStream.keeps(outboxTopic(node, node))) return
    throw new MissingStream(node)
  }
  if (found.error?.err_code === STREAM_MISSING) await demand(jetStream, `STREAM.CREATE.${streamOf(node)}`, streamConfig(node))
  else if (found.config === undefined) throw unreachable()
  else {
    const problem = streamProblem(node, found.config)
    if (problem !== null) throw new Error(problem)
  }
  // Made anew, it would not hand out at once what was given back to it.
  if ((await jetStream.call(consumerCall('INFO', node))).error?.err_code !== CONSUMER_MISSING) return
  await demand(jetStream, consumerCall('DURABLE.CREATE', node), consumerCreation(node))
}

/** Throws `unreachable` when JetStream refuses. */
async function demand(jetStream: JetStream, name: string, body: object): Promise<void> {
  const { error } = await jetStream.call(name, body)
  if (error !== undefined) throw unreachable()
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
}
