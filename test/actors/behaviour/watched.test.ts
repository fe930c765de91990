import t from 'tap'
import type { Behaviour } from '../../../actors/behaviour/behaviour.js'
import { withStallWatch } from '../../../actors/behaviour/watched.js'
import type { StallWatch } from '../../../src/domain/stall-watch.js'
import { createListBehaviour, type ListCommand, type ListReply, type ListState } from '../../support/list-behaviour.js'

const ADDRESS = { kind: 'session', subject: 'tester', id: 'a' } as const

function watching(behaviour: Behaviour<ListState, ListCommand, void, ListReply>) {
  const seen: string[] = []
  const watch: StallWatch = {
    during(command, _, work) {
      seen.push(command)
      return work()
    }
  }
  return { watched: withStallWatch(behaviour, watch), seen }
}

t.test('a watched behaviour is told all that the behaviour would be told', async (t) => {
  const told: unknown[][] = []
  const inner = createListBehaviour()
  const { watched, seen } = watching({
    ...inner,
    initiate: async (...args) => (told.push(args), null),
    prepare: async (...args) => void told.push(args)
  })
  const meta = { address: ADDRESS, now: 0, requestId: 'r' }
  const left = [{ collection: 'request', id: '1', body: null }]
  await watched.initiate(ADDRESS, { type: 'list.create' }, meta, left)
  const { signal } = new AbortController()
  const room = {} as never
  await watched.prepare({ words: [] }, { type: 'list.read' }, signal, meta, room)
  t.strictSame(told, [
    [ADDRESS, { type: 'list.create' }, meta, left],
    [{ words: [] }, { type: 'list.read' }, signal, meta, room]
  ])
  t.strictSame(seen, ['list.create', 'list.read'])
})

t.test('reading back that is watched is noted piece by piece, and ends what it reads with', async (t) => {
  let ended = 0
  const { watched, seen } = watching(createListBehaviour({ ended: () => void (ended += 1) }))
  const rows = ['1', '2', '3'].map((id) => ({ collection: 'words', id, body: id }))
  const record = { token: { epoch: 1, version: 1 }, head: {}, rows }
  const whole = watched.restore(ADDRESS, record)
  for (const { id } of rows) t.strictSame(whole.next(), { done: false, value: undefined }, id)
  t.strictSame(whole.next(), { done: true, value: { words: ['1', '2', '3'] } })
  t.strictSame(
    seen,
    Array.from({ length: 4 }, () => 'session.restore')
  )
  const cut = watched.restore(ADDRESS, record)
  cut.next()
  cut.return(undefined as never)
  t.equal(ended, 1)
})
