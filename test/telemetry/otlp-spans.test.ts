/** Single spans as a collector gets them: whose part they are, what they say, and how they ended. */
import t, { type Test } from 'tap'
import { createOtlpSpans } from '../../src/telemetry/otlp.js'
import { startCollector } from '../support/trace-collector.js'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

const ENDED = 1
const FAILED = 2
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3]

async function start(t: Test) {
  const { url, spans } = await startCollector(t)
  return { sent: spans, spans: await createOtlpSpans({ url: `${url}/v1/traces`, protocol: 'http/json', nodeId: 'n1' }) }
}

t.test('a span is part of the trace that its parent says, and begins one where that is none', async (t) => {
  const { spans, sent } = await start(t)
  const part = spans.begin('part', { parent: `00-${TRACE}-${PARENT}-01` })
  t.match(part, { traceId: TRACE, trace: `00-${TRACE}-${part.spanId}-01` })
  part.end()
  const none = [
    undefined,
    'nonsense',
    `01-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    ` 00-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`
  ]
  const begun = none.map((parent) => spans.begin('begun', { ...(parent !== undefined && { parent }) }))
  for (const span of begun) span.end()
  t.equal(new Set([TRACE, ...begun.map(({ traceId }) => traceId)]).size, none.length + 1)
  await spans.close()
  t.match(
    sent().find(({ name }) => name === 'part'),
    { traceId: TRACE, spanId: part.spanId, parentSpanId: PARENT, resource: { 'service.name': 'engram', 'service.instance.id': 'n1' } }
  )
  for (const { name, parentSpanId } of sent()) if (name === 'begun') t.notOk(parentSpanId)
})

t.test('what a trace does not keep is not sent, nor what is part of it, and says so to the next', async (t) => {
  const { spans, sent } = await start(t)
  const part = spans.begin('part', { parent: `00-${TRACE}-${PARENT}-00` })
  t.match(part.trace, /-00$/)
  part.set({ late: 1 })
  part.end('500')
  await spans.close()
  t.same(sent(), [])
})

t.test('a span has its kind, what it was begun with and what was set later, and what it is linked to', async (t) => {
  const { spans, sent } = await start(t)
  spans.begin('inside', {}).end()
  spans.begin('client', { kind: 'client', links: [`00-${TRACE}-${PARENT}-01`, 'none'] }).end()
  const server = spans.begin('server', { kind: 'server', attributes: { first: 'a', second: 'b' } })
  server.set({ second: 'c' })
  server.end()
  server.set({ second: 'too late' })
  await spans.close()
  const byName = new Map(sent().map((span) => [span.name, span]))
  t.match(byName.get('inside'), { kind: INTERNAL })
  t.match(byName.get('server'), { kind: SERVER, attributes: { first: 'a', second: 'c' } })
  const { links } = byName.get('client') as object as { readonly links: readonly object[] }
  t.match(byName.get('client'), { kind: CLIENT })
  t.equal(links.length, 1)
  t.match(links, [{ traceId: TRACE, spanId: PARENT }])
})

t.test('a span that failed says why, and only the first of two ends counts', async (t) => {
  const { spans, sent } = await start(t)
  const failed = spans.begin('failed', {})
  failed.end('503')
  failed.end()
  const sound = spans.begin('sound', {})
  sound.end()
  sound.end('503')
  await spans.close()
  t.equal(sent().length, 2)
  const statusOf = (wanted: string) => sent().find(({ name }) => name === wanted)?.status
  t.strictSame(statusOf('failed'), { code: FAILED, message: '503' })
  t.not(statusOf('sound')?.code ?? ENDED, FAILED)
})

t.test('what is left is sent once, when it is closed', async (t) => {
  const { spans, sent } = await start(t)
  spans.begin('last', {}).end()
  await Promise.all([spans.close(), spans.close()])
  spans.begin('afterwards', {}).end()
  await spans.close()
  t.same(
    sent().map(({ name }) => name),
    ['last']
  )
})
