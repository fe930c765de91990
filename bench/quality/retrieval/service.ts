/** A service in this process, called through HTTP like by a client. */
import { readConfig } from '../../../src/config.js'
import { createService } from '../../../src/service.js'

export interface AskedService {
  /** Throws unless the call succeeds. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  close(): Promise<void>
}

/** Uses the lexical embedder unless `settings` choose another. */
export async function openService(settings: Readonly<Record<string, string>> = {}): Promise<AskedService> {
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_PORT: '0',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_LOG_LEVEL: 'error',
    ...settings
  })
  const service = await createService(config)
  const url = await service.listen()
  return {
    async call(method, path, body) {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    },
    close: () => service.close()
  }
}
