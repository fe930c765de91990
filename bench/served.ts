/**
 * The service in its own process, beside an equal Fastify with a constant answer, which shows the least that a request can cost. Its parent
 * queries processor time and event loop stalls by messages.
 */
import Fastify from 'fastify'
import { processEnvironment, readConfig } from '../src/config.js'
import { createService } from '../src/service.js'
import type { ServedAnswer, ServedQuestion } from './service-process.js'
import { watchStretches } from './stretches.js'

const service = await createService(readConfig(processEnvironment()))
const constant = Fastify({ logger: false })
const properties = { session_id: { type: 'string' }, message: { type: 'string' } }
const response = { 200: { type: 'object', properties: { status: { type: 'string' }, context: { type: 'string' } } } }
constant.post('/v1/run', { schema: { body: { type: 'object', properties }, response } }, async () => ({ status: 'ok', context: '' }))

/** Null while stretches are not watched: sampling every millisecond would cost a tenth of a run. */
let stop: ReturnType<typeof watchStretches> | null = null

async function answer(question: ServedQuestion): Promise<ServedAnswer> {
  switch (question) {
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { usedMs: (user + system) / 1_000 }
    }
    case 'watch':
      stop ??= watchStretches()
      return {}
    case 'stretches': {
      const { allMs } = (await stop?.()) ?? { allMs: [] }
      stop = null
      return { stretchesMs: allMs }
    }
    case 'memory': {
      globalThis.gc?.()
      const { heapUsed, external } = process.memoryUsage()
      return { bytes: heapUsed + external }
    }
    case 'close':
      await stop?.()
      await constant.close()
      await service.close()
      return {}
  }
}

process.on('message', (question: ServedQuestion) => {
  void answer(question).then((answered) => {
    process.send?.(answered, () => {
      if (question === 'close') process.disconnect()
    })
  })
})
const url = await service.listen()
const constantUrl = await constant.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url, constantUrl } satisfies ServedAnswer)
