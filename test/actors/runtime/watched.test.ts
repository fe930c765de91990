/** What an actor works at is told to the watch of the event loop, and the behaviour is told what it would be told otherwise. */
import t from 'tap'
import { initiateLife, type Life, restoreLife } from '../../../actors/runtime/host.js'
import type { StallWatch } from '../../../src/domain/stall-watch.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createListBehaviour } from '../../support/list-behaviour.js'

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
  const made = await initiateLife(host, { type: 'list.create' }, META)
  if (made === null) throw new Error('not made')
  const life: Life = { ...made.life, token: { epoch: 1, version: 1 } }
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
  const cut = restoreLife(host, ADDRESS, record)
  // Weighing takes a piece a row, too.
  for (let piece = 0; piece < 4; piece++) t.strictSame(cut.next(), { done: false, value: undefined })
  cut.return(undefined as never)
  t.equal(ended, 1)
})
