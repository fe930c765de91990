/**
 * JetStream streams that keep outbox messages: one per node, with a consumer that delivers them to it. With one shared stream, a node that
 * acknowledges its own outbox messages could also acknowledge those of others, by their numbers. Under `nats.conf` the streams lie in a
 * separate account, where only an operator's user may create or change them. Elsewhere a node creates what is missing, and changes nothing.
 */
import { unreachable } from '../refusals.js'
import { type JetStream, NANOSECONDS } from './jetstream.js'

/** Common prefix of the streams' names. */
export const STREAM_PREFIX = 'ENGRAM_OUTBOX_'

const CONSUMER = 'node'

/** Milliseconds for one delivery, after which the message is redelivered: slightly above the longest time that an actor's work may take. */
const ACK_MS_MAX = 65_000

/** Maximum unacknowledged outbox messages per node: half the capacity of one actor's mailbox. */
export const MESSAGES_AT_ONCE = 32

/**
 * Milliseconds for which an outbox message is kept and its id is deduplicated. Its sender delivers it without the stream after some
 * seconds, so to a node that returns later the stream could only repeat what was delivered long before.
 */
const AGE_MS_MAX = 120_000

/** Maximum bytes on the server's disk per node. The oldest messages are dropped first: keeping them was promised to nobody. */
const BYTES_MAX = 32 * 1024 * 1024

/** Settings that would leak outbox messages out of the stream, or let others in. */
const FORBIDDEN = ['mirror', 'sources', 'republish', 'no_ack', 'sealed']

/** JetStream's error codes for a missing stream or consumer. */
const STREAM_MISSING = 10_059
const CONSUMER_MISSING = 10_014

/**
 * The stream is missing, and only an operator can create it. A node works without it, because senders deliver outbox messages themselves;
 * those of a node that ends are then delivered late.
 */
export class MissingStream extends Error {
  constructor(node: string) {
    super(
      `Nothing keeps outbox messages for ${node}: the stream ${streamOf(node)} is not there, or nats.conf lets no outbox message reach it. As the user init, which ` +
        `may make streams: NATS_URL=nats://init:password@host:4222 npm run nats:init -- ${node} and the names of all other nodes`
    )
  }
}

/** JetStream's error code when the stream belongs to another account, as under `nats.conf`: creating it is then not up to the node. */
const NOT_IN_THIS_ACCOUNT = 10_039

/** Topic of outbox messages by recipient and sender. */
export function outboxTopic(to: string, from: string): string {
  return `engram.outbox.${to}.${from}`
}

/** Topic on which a node receives its outbox messages. */
export function deliveryTopic(node: string): string {
  return `engram.nodes.${node}.outbox`
}

/** Name of a node's stream. */
export function streamOf(node: string): string {
  return `${STREAM_PREFIX}${node}`
}

/** Whether a topic acknowledges outbox messages of this node. */
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

/** JetStream call on a node's consumer: query, create or delete. */
export function consumerCall(call: 'INFO' | 'DURABLE.CREATE' | 'DELETE', node: string): string {
  return `CONSUMER.${call}.${streamOf(node)}.${CONSUMER}`
}

/** Request that creates a node's consumer. */
export function consumerCreation(node: string): object {
  return { stream_name: streamOf(node), config: consumerConfig(node) }
}

/** Whether a consumer has the required settings. */
export function isFitConsumer(node: string, config: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(consumerConfig(node)).every(([name, value]) => config[name] === value)
}

/** The problem with a node's stream, in a sentence for its operator; null when there is none. */
function streamProblem(node: string, config: Readonly<Record<string, unknown>>): string | null {
  const other = Object.entries(streamConfig(node)).filter(([name, value]) => JSON.stringify(config[name]) !== JSON.stringify(value))
  const names = [...other.map(([name]) => name), ...FORBIDDEN.filter((name) => isSet(config[name]))]
  return names.length === 0
    ? null
    : `The stream ${streamOf(node)} is not as it has to be (${names.join(', ')}): npm run nats:init puts it right`
}

/**
 * Makes sure, as far as a node may, that outbox messages for it can be kept. Throws `unreachable` or `deadline_passed` when JetStream does
 * not answer, a plain Error with a sentence for the operator when the stream must not be used, and MissingStream when it is missing and
 * only an operator can create it.
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
  // An existing consumer is kept: a new one would not redeliver at once the messages that were returned to the old one.
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
