import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign to clients, and to servers that ask for any port. So a killed server finds its port free again, and a
 * client of a missing server never connects to itself.
 */
const PORTS = { from: 10_000, until: 32_000 } as const

/** Returns a port of this machine on which nobody listens, outside of the ranges that systems assign. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.until)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
