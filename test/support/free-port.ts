import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to clients, and to servers that ask for any: a server that is killed finds its port again, and a client of
 * one that is not there never meets itself.
 */
const PORTS = { from: 10_000, until: 32_000 } as const

/** A port of this machine on which nobody listens, and which is nobody's by chance. */
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
