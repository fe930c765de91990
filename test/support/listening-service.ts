/** A service that listens on a port of its own, with licences. */
import type { Test } from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService } from '../../src/service.js'

export interface ListeningService {
  readonly url: string
  readonly port: number
  readonly logs: readonly string[]
  /** Signs a token for that subject; `expiresAt` in epoch seconds. */
  token(subject: string, expiresAt?: number): Promise<string>
  /** Idempotent. */
  close(): Promise<void>
}

export interface ListeningOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Default: any free port. */
  readonly port?: number
  readonly keys?: ReturnType<typeof generateKeyPair>
}

/** Starts the service; stopped when the test ends. */
export async function listen(t: Test, { env = {}, port = 0, keys = generateKeyPair() }: ListeningOptions = {}): Promise<ListeningService> {
  const { publicKey, privateKey } = keys
  const logs: string[] = []
  const settings = { SERVICE_LICENSE_PUBLIC_KEY: publicKey, SERVICE_EMBEDDER: 'lexical', SERVICE_RATE_LIMIT_PER_MINUTE: '0' }
  const config = readConfig({ ...settings, SERVICE_PORT: String(port), ...env })
  const service = await createService(config, { logDestination: { write: (line: string) => void logs.push(line) } })
  const url = await service.listen()
  t.teardown(() => service.close())
  return {
    url,
    port: Number(new URL(url).port),
    logs,
    token: (subject, expiresAt) =>
      signLicense({ privateKey, subject, clock: createSystemClock(), ...(expiresAt !== undefined && { expiresAt }) }),
    close: () => service.close()
  }
}
