/** A service of the example's own on a free port, and a client that is nothing but fetch. */
import { generateKeyPair } from '../../src/auth/license-signing.js'
import { readConfig } from '../../src/config.js'
import { developmentToken } from '../../src/development.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService } from '../../src/service.js'

/** JSON as it came. Examples look at the fields they know. */
export type Json = Readonly<Record<string, unknown>>

export interface Client {
  /** Throws with the detail of the answer when it is an error. */
  call(method: string, path: string, body?: object): Promise<Json>
}

/** Runs an example against a real service over HTTP, with a real token, and stops the service afterwards. */
export async function withService(example: (client: Client) => Promise<void>): Promise<void> {
  const { privateKey, publicKey } = generateKeyPair()
  const config = readConfig({
    SERVICE_PORT: '0',
    SERVICE_LICENSE_PUBLIC_KEY: publicKey,
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_LOG_LEVEL: 'error',
  })
  const service = await createService(config)
  try {
    const url = await service.listen()
    const token = await developmentToken({ privateKey, subject: 'example', clock: createSystemClock() })
    await example(createClient(url, token))
  } finally {
    await service.close()
  }
}

function createClient(url: string, token: string): Client {
  return {
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Json
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer['detail'])}`)
      return answer
    },
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
