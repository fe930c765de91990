/** Held inputs are released one after the other, however many there are. */
import t from 'tap'
import type { Room } from '../../../../actors/weight/room.js'
import { plus, totalOf, type Weight, WEIGHTLESS } from '../../../../src/domain/fairness/weight.js'
import { createSessionRig, embeddingOf, type SessionRig } from '../../../support/session-rig.js'

const HELD = 12
const WORDS = 3_000

const textOf = (at: number, words = WORDS): string =>
  Array.from({ length: words }, (_, word) => `q${(46_656 + at * words + word).toString(36)}`).join(' ')

async function holding(rig: SessionRig, texts: readonly string[]) {
  const session = await rig.create()
  await session.ask({
    type: 'isolation.set',
    level: 'QUARANTINE',
    exclusionEmbeddings: [],
    allowlistEmbeddings: [embeddingOf('zebra')],
    similarityThreshold: 1
  })
  for (const text of texts) await session.run(text)
  t.equal(session.state.held.size, texts.length)
  return session
}

/** A room that admits everything and records what was held, and by how much the record was to grow. */
function noting() {
  const noted = { held: WEIGHTLESS, growth: WEIGHTLESS }
  const room = {
    hold: (weight: Weight) => void (noted.held = plus(noted.held, weight)),
    fits: () => false,
    take: () => false,
    admit: (growth: Weight) => void (noted.growth = growth),
    reserve: async (growth: Weight) => void (noted.growth = growth),
    of: () => WEIGHTLESS,
    replaced: WEIGHTLESS
  }
  return { noted, room: room satisfies Room }
}

t.test('a release holds memory for the words of one input, whatever is held', async (t) => {
  const rig = createSessionRig()
  const alone = noting()
  const together = noting()
  const texts = Array.from({ length: HELD }, (_, at) => textOf(at))
  const signal = new AbortController().signal
  for (const [{ room }, some] of [[alone, texts.slice(0, 1)] as const, [together, texts] as const]) {
    const session = await holding(rig, some)
    const meta = { requestId: 'r', now: rig.now, signal, room }
    const prepared = await rig.behaviour.prepare(session.state, { type: 'isolation.release' }, meta)
    t.equal(prepared.readings.size, 0)
    t.same(
      [...(prepared.wordCounts ?? [])].map(([, words]) => words),
      some.map(() => WORDS)
    )
  }
  t.ok(totalOf(alone.noted.held) > 0)
  t.same(together.noted.held, alone.noted.held)
  t.ok(totalOf(together.noted.growth) > (HELD - 1) * totalOf(alone.noted.growth))
})

t.test('what is let in is found by its words, and the count is that of all', async (t) => {
  const session = await holding(
    createSessionRig(),
    Array.from({ length: HELD }, (_, at) => textOf(at, 40))
  )
  t.same(await session.ask({ type: 'isolation.release' }), { releasedCount: HELD, level: 'QUARANTINE' })
  t.equal(session.state.held.size, 0)
  t.match(await session.search(textOf(7, 40), 1), [{ text: textOf(7, 40) }])
  t.equal((await session.restored()).corpus.size, HELD)
})
