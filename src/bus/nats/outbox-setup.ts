/** Creates the streams of outbox messages with the required settings, for an operator. Nodes may not do that. */
import type { Clock, Logger } from '../../ports.js'
import { connectNats } from './connection.js'
import { createExchange } from './exchange.js'
import { createJetStream, type JetStreamAnswer } from './jetstream.js'
import { consumerCall, consumerCreation, isFitConsumer, outboxTopic, STREAM_PREFIX, streamConfig, streamOf } from './outbox-stream.js'

interface OutboxSetupOptions {
  /** URL with a user that may manage JetStream: see `parseServerUrl`. */
  readonly url: string
  /** Ids of all nodes. */
  readonly nodes: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
}

/** Name that the server shows to its operator. */
const NAME = 'init'

/**
 * Creates or corrects the stream of each of these nodes and deletes all others. Safe to repeat; further settings of an operator (replicas
 * above all) are kept. Throws as `connectNats` does, and an Error that names what JetStream has refused.
 */
export async function setUpOutbox({ url, nodes, clock, logger }: OutboxSetupOptions): Promise<void> {
  const link = await connectNats({ url, name: NAME, clock, logger })
  const exchange = createExchange({ link, clock, name: NAME })
  const jetStream = createJetStream(exchange)
  const demand = async (name: string, body?: object): Promise<JetStreamAnswer> => {
    const answer = await jetStream.call(name, body)
    if (answer.error !== undefined) throw new Error(`JetStream refuses ${name} (${String(answer.error.err_code)})`)
    return answer
  }
  try {
    const wanted = new Set(nodes.map(streamOf))
    const { streams } = await demand('STREAM.NAMES', { subject: outboxTopic('*', '*') })
    for (const known of streams ?? []) {
      if (known.startsWith(STREAM_PREFIX) && !wanted.has(known)) await demand(`STREAM.DELETE.${known}`)
    }
    for (const node of nodes) {
      const { config } = await jetStream.call(`STREAM.INFO.${streamOf(node)}`)
      if (config === undefined) await demand(`STREAM.CREATE.${streamOf(node)}`, streamConfig(node))
      else await demand(`STREAM.UPDATE.${streamOf(node)}`, { ...config, republish: undefined, ...streamConfig(node) })
      const { config: consumer } = await jetStream.call(consumerCall('INFO', node))
      // A fitting consumer is kept: a new one would not redeliver at once the messages it has.
      if (consumer !== undefined && isFitConsumer(node, consumer)) continue
      if (consumer !== undefined) await demand(consumerCall('DELETE', node))
      await demand(consumerCall('DURABLE.CREATE', node), consumerCreation(node))
    }
  } finally {
    exchange.close()
    await link.close()
  }
}
