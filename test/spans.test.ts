import t from 'tap'
import { DomainError } from '../src/domain/errors.js'
import { beginWithin, during, type SpanAttributes, type SpanOptions, type Spans } from '../src/spans.js'

/** Collects everything reported about each span. */
function collecting() {
  const told: { name: string; options: SpanOptions; attributes: SpanAttributes[]; ends: (string | undefined)[] }[] = []
  const spans: Spans = {
    begin(name, options) {
      const span = { name, options, attributes: [] as SpanAttributes[], ends: [] as (string | undefined)[] }
      told.push(span)
      return {
        trace: `trace of ${name}`,
        traceId: '1',
        spanId: '2',
        set: (attributes) => void span.attributes.push(attributes),
        end: (failure) => void span.ends.push(failure)
      }
    }
  }
  return { spans, told }
}

t.test('work within a trace is a span of it, which ends with the work', async (t) => {
  const { spans, told } = collecting()
  const work = { spans, name: 'session.run', parent: 'outer', kind: 'client', attributes: { 'engram.hop': 1 } } as const
  t.equal(await during(work, async ({ trace }) => trace), 'trace of session.run')
  t.same(told, [
    {
      name: 'session.run',
      options: { kind: 'client', parent: 'outer', attributes: { 'engram.hop': 1 } },
      attributes: [],
      ends: [undefined]
    }
  ])
})

t.test('work that is refused notes its code, any other failure that it is internal, and both are thrown on', async (t) => {
  const { spans, told } = collecting()
  const work = { spans, name: 'session.run', parent: 'outer' }
  await t.rejects(
    during(work, () => Promise.reject(new DomainError('busy', 'Too many'))),
    { code: 'busy' }
  )
  await t.rejects(
    during(work, () => Promise.reject(new TypeError('a text of a user'))),
    TypeError
  )
  t.same(
    told.map(({ attributes, ends }) => ({ attributes, ends })),
    [
      { attributes: [{ 'error.type': 'busy' }], ends: [undefined] },
      { attributes: [{ 'error.type': 'internal' }], ends: [undefined] }
    ]
  )
})

t.test('outside of a trace, and where nobody collects, work is the work itself', async (t) => {
  const { spans, told } = collecting()
  for (const work of [
    { spans, name: 'session.run' },
    { spans: undefined, name: 'session.run', parent: 'outer' }
  ]) {
    const span = beginWithin(work)
    t.same([span.trace, span.traceId, span.spanId], [undefined, '', ''])
    span.set({})
    span.end()
    t.equal(await during(work, async ({ trace }) => trace ?? 'none'), 'none')
  }
  t.same(told, [])
})
