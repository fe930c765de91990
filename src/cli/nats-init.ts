/** `npm run nats:init -- n1 n2 n3`: makes the stream that keeps outbox messages between nodes, as the user of NATS that may, and ends. */
import { setUpOutbox } from '../bus/nats/outbox-setup.js'
import { exitCodeOf, openedBy, StartError } from '../composition/start-refusal.js'
import { processEnvironment } from '../config.js'
import { createSystemClock } from '../platform/clock.js'
import type { Logger } from '../ports.js'

const USAGE = `NATS_URL=nats://init:password@host:4222 npm run nats:init -- NODE…
  NODE   the SERVICE_NODE_ID of each node: letters, digits, _ and -, 64 at most. Nodes that are not named get no outbox messages any more`

const NODE_ID = /^[A-Za-z0-9_-]{1,64}$/

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

async function main(): Promise<void> {
  const nodes = process.argv.slice(2)
  const url = processEnvironment()['NATS_URL']
  if (url === undefined || nodes.length === 0 || !nodes.every((node) => NODE_ID.test(node))) throw new Error(USAGE)
  await openedBy('NATS_URL', () => setUpOutbox({ url, nodes, clock: createSystemClock(), logger: SILENT }))
  process.stdout.write(`Outbox messages between ${nodes.join(', ')} can be kept.\n`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'The stream could not be made'}\n`)
    process.exit(error instanceof StartError ? exitCodeOf(error) : 1)
  }
)
