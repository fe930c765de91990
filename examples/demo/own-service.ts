/** A service of one's own in this process, on a free port, with a key that nobody else has. */
import { generateKeyPair } from '../../src/auth/license-signing.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService, type Service } from '../../src/service.js'
import { developmentToken } from '../../src/tools/development.js'

export interface OwnService {
  /** Not listening yet. */
  readonly service: Service
  /** A token that it takes. */
  tokenFor(subject: string): Promise<string>
}

/** Nothing comes from the environment: it is the same everywhere, offline too. */
export async function createOwnService(): Promise<OwnService> {
  const { privateKey, publicKey } = generateKeyPair()
  const config = readConfig({
    SERVICE_PORT: '0',
    SERVICE_LICENSE_PUBLIC_KEY: publicKey,
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_LOG_LEVEL: 'error'
  })
  return {
    service: await createService(config),
    tokenFor: (subject) => developmentToken({ privateKey, subject, clock: createSystemClock() })
  }
}
