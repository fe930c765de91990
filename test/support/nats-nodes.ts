/** Buses of several nodes on a private NATS server, and their logs. */
import type { Test } from 'tap'
import { createNatsBus, type NatsBus } from '../../src/bus/nats/bus.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Clock, Logger } from '../../src/ports.js'
import { type NatsServer, type NatsServerOptions, startNatsServer } from './nats-server.js'
import type { LogLine } from './runtime.js'

export interface NatsNodes {
  readonly server: NatsServer
  /** Log lines of all nodes. */
  readonly lines: LogLine[]
  /** Opens the bus of another node; all are closed when the test ends. `url` is for a detour to the server. */
  open(name: string, options?: { readonly url?: string; readonly clock?: Clock; readonly transferBytesMax?: number }): Promise<NatsBus>
}

export async function startNatsNodes(t: Test, options: NatsServerOptions = {}): Promise<NatsNodes> {
  const server = await startNatsServer(options)
  const lines: LogLine[] = []
  const at = (level: keyof Logger) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const buses: NatsBus[] = []
  t.teardown(async () => {
    for (const bus of buses) await bus.close()
    await server.stop()
  })
  return {
    server,
    lines,
    async open(name, { url = server.url, clock = createSystemClock(), ...limits } = {}) {
      const bus = await createNatsBus({ url, name, clock, logger, ...limits })
      buses.push(bus)
      return bus
    }
  }
}
