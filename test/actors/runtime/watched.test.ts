/** An actor reports its work to the watch of the event loop, which changes nothing for the behaviour. */
import t from 'tap'
import { initiateLiveState, type LiveState, restoreLiveState } from '../../../actors/runtime/host.js'
import { DomainError } from '../../../src/domain/errors.js'
import type { StallWatch } from '../../../src/domain/fairness/stall-watch.js'
import type { SpanOptions } from '../../../src/spans.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createListBehaviour } from '../../support/list-behaviour.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const ADDRESS = { kind: 'session', subject: 'tester', id: 'a' } as const
const META = { address: ADDRESS, now: 0, requestId: 'r' }

function watching(behaviour: object) {
  const seen: string[] = []
  const watch: StallWatch = {
    during(command, _, work) {
      seen.push(command)
      return work()
    }
  }
  return { host: hostOf(behaviour, { watch }), seen }
}

t.test('a watched actor is told all that it would be told otherwise', async (t) => {
  const told: unknown[] = []
  const inner = createListBehaviour()
  const { host, seen } = watching({
    ...inner,
    initiate: async (...args: Parameters<typeof inner.initiate>) => (told.push(args[1]), inner.initiate(...args)),
    prepare: async (_: unknown, command: unknown) => void told.push(command)
  })
  const made = await initiateLiveState(host, { type: 'list.create' }, META)
  if (made === null) throw new Error('not made')
  const life: LiveState = { ...made.life, token: { epoch: 1, version: 1 } }
  const { reply } = await hosted(host).run(life, { type: 'list.read' }, META)
  t.same(reply, { words: [] })
  t.strictSame(told, [{ type: 'list.create' }, { type: 'list.read' }])
  t.strictSame(seen, ['list.create', 'list.read'])
})

t.test('reading back that is watched is noted piece by piece, and ends what it reads with', async (t) => {
  let ended = 0
  const { host, seen } = watching(createListBehaviour({ ended: () => void (ended += 1) }))
  const rows = ['1', '2', '3'].map((id) => ({ collection: 'words', id, body: id }))
  const record = { token: { epoch: 1, version: 1 }, head: {}, rows }
  const life = hosted(host).restore(ADDRESS, record)
  t.same(life.state, { words: ['1', '2', '3'] })
  t.strictSame(
    seen,
    Array.from({ length: 4 }, () => 'session.restore')
  )
  const cut = restoreLiveState(host, ADDRESS, record)
  // Weighing takes a piece per row, too.
  for (let piece = 0; piece < 4; piece++) t.strictSame(cut.next(), { done: false, value: undefined })
  cut.return(undefined as never)
  t.equal(ended, 1)
})

/** A tracer, with all spans that were begun. */
function recordedSpans() {
  const begun: { readonly name: string; readonly options: SpanOptions; ended: number; attributes: object }[] = []
  const spans = {
    begin(name: string, options: SpanOptions) {
      const span = { name, options, ended: 0, attributes: {} }
      begun.push(span)
      const set = (attributes: object) => void Object.assign(span.attributes, attributes)
      return { trace: `within ${name}`, traceId: '', spanId: '', set, end: () => void (span.ended += 1) }
    }
  }
  return { begun, spans }
}

t.test('of a command within a trace its preparation, its step and its commit are spans, and of one outside nothing is', async (t) => {
  const { begun, spans } = recordedSpans()
  const { ask, catalog } = await startRuntime({ spans })
  await ask('a', { type: 'list.create' })
  t.same(begun, [])
  const send = (command: { readonly type: string; readonly word?: string }) =>
    catalog.deliver({ address: ADDRESS, command, requestId: 'r', deadlineMs: 1_000, isInner: true, trace: 'asked' })
  await send({ type: 'list.append', word: 'one' })
  const named = () => begun.map(({ name, options: { kind, parent, links } }) => ({ name, kind, parent, links }))
  const within = { kind: undefined, parent: 'within list.append', links: undefined }
  t.same(named(), [
    { ...within, name: 'list.append', parent: 'asked' },
    { ...within, name: 'list.append prepare' },
    { ...within, name: 'list.append step' },
    { ...within, name: 'storage commit', kind: 'client', links: [] }
  ])
  begun.length = 0
  t.equal(await codeOf(send({ type: 'list.refuse' })), 'invalid_input')
  t.same(
    begun.map(({ name }) => name),
    ['list.refuse', 'list.refuse prepare', 'list.refuse step']
  )
  t.ok(begun.every(({ ended }) => ended === 1))
})

t.test('of a command that is refused before its step, no step is a span', async (t) => {
  const { begun, spans } = recordedSpans()
  const prepare = async ({ type }: { readonly type: string }) => {
    if (type === 'list.read') throw new DomainError('member_missing', 'Member not found')
  }
  for (const isShared of [false, true]) {
    const { ask, catalog } = await startRuntime({ spans, isShared, prepare })
    await ask('a', { type: 'list.create' })
    begun.length = 0
    const read = { address: ADDRESS, command: { type: 'list.read' }, requestId: 'r', deadlineMs: 1_000, isInner: true, trace: 'asked' }
    t.equal(await codeOf(catalog.deliver(read)), 'member_missing')
    const names = begun.map(({ name }) => name)
    t.same([names.includes('list.read prepare'), names.includes('list.read step')], [true, false])
  }
})
