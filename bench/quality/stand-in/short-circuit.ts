/** Repeated questions with stand-ins for a learned model, through the whole service and an embedding service of their own. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../../../src/config.js'
import { createService } from '../../../src/service.js'
import { answer, textsOf } from '../../../test/support/embedding-server.js'
import { isShortCircuit } from '../short-circuit/measure.js'
import type { TextPair } from '../short-circuit/pairs.js'
import type { Judged } from '../statistics.js'

/** Judges each pair with the vectors that `vectorOf` gives its texts; null: with the lexical embedder. */
export async function judgedPairs(pairs: readonly TextPair[], vectorOf: ((text: string) => Float32Array) | null): Promise<Judged[]> {
  const server = createServer((request, response) => {
    void textsOf(request).then((texts) => answer(response, texts, (text) => [...(vectorOf?.(text) ?? [])]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_RATE_LIMIT_PER_MINUTE: '0', SERVICE_LOG_LEVEL: 'error' }
  const embedder = { SERVICE_EMBEDDER: 'http', SERVICE_EMBEDDING_URL: `http://127.0.0.1:${port}/v1` }
  const service = await createService(readConfig({ ...settings, ...(vectorOf === null ? { SERVICE_EMBEDDER: 'lexical' } : embedder) }))
  await service.start()
  try {
    const judged: Judged[] = []
    for (const pair of pairs) judged.push({ isTrue: pair.isSame, score: Number(await isShortCircuit(service, pair)) })
    return judged
  } finally {
    await service.close()
    server.closeAllConnections()
    server.close()
  }
}
