/** `engram nats-init n1 n2 n3`: creates the streams for outbox messages between nodes, as a NATS user with that right, and exits. */
import { setUpOutbox } from '../../bus/nats/outbox-setup.js'
import { openedBy } from '../../composition/start-refusal.js'
import { processEnvironment, readSetting } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { SILENT } from '../../platform/silent-logger.js'
import { usageFailure } from '../console/failure.js'

const NODE_ID = /^[A-Za-z0-9_-]{1,64}$/

/** Throws CommandFailure for an invalid name, ConfigError for an invalid NATS_URL, and StartError when the server cannot be used. */
export async function makeOutboxStreams(nodes: readonly string[]): Promise<void> {
  const url = readSetting(processEnvironment(), 'NATS_URL')
  if (url === undefined) throw usageFailure('NATS_URL is missing: the server, and the user there who may make streams.')
  if (!nodes.every((node) => NODE_ID.test(node)))
    throw usageFailure('A node goes by its SERVICE_NODE_ID: 1 to 64 letters, digits, _ and -.')
  await openedBy('NATS_URL', () => setUpOutbox({ url, nodes, clock: createSystemClock(), logger: SILENT }))
  process.stdout.write(`Outbox messages between ${nodes.join(', ')} can be kept.\n`)
  // Handles left by the connection must not keep a container alive.
  process.exit(0)
}
