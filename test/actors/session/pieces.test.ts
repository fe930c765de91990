/** What is long about a large session is done in pieces, one memory at a time. */
import t from 'tap'
import type { Pieces } from '../../../actors/pieces.js'
import { createExactIndexes } from '../../../src/vectors/exact-index.js'
import { createSessionRig } from '../../support/session-rig.js'

const MEMORIES = 40

/** A session of many memories, in a rig that counts the vector indexes that were closed. */
async function startLong() {
  const closed: number[] = []
  const rig = createSessionRig({
    createVectorIndex(dimension) {
      const index = createExactIndexes()(dimension)
      return {
        ...index,
        get size() {
          return index.size
        },
        close() {
          closed.push(index.size)
          index.close()
        },
      }
    },
  })
  const session = await rig.create()
  await session.ask({ type: 'memory.ingest', memories: Array.from({ length: MEMORIES }, (_, at) => ({ text: `ship ${String(at)} sails at ${String(at)} o'clock`, role: 'user', expiresAt: rig.now + 100 })) })
  return { rig, session, closed }
}

function count<Result>(work: Pieces<Result>): { readonly pieces: number; readonly result: Result } {
  for (let pieces = 1; ; pieces++) {
    const next = work.next()
    if (next.done === true) return { pieces, result: next.value }
  }
}

t.test('a session that is read back, lets others in between after every row and every memory', async (t) => {
  const { rig, session } = await startLong()
  const { pieces, result } = count(rig.behaviour.restore(session.address, await session.record()))
  t.ok(pieces > 3 * MEMORIES, 'each memory has two rows, and is indexed once')
  t.equal(result.corpus.size, MEMORIES)
})

t.test('reading back that is ended before its end, leaves nothing to close and nothing to be done by the clock', async (t) => {
  const { rig, session, closed } = await startLong()
  rig.behaviour.dispose?.(session.state)
  closed.length = 0
  const reading = rig.behaviour.restore(session.address, await session.record())
  for (let piece = 0; piece < 2.5 * MEMORIES; piece++) reading.next()
  reading.return(undefined as never)
  t.equal(closed.length, 1)
  t.ok(closed[0]! > 0 && closed[0]! < MEMORIES, 'half of it was there')
  t.strictSame(rig.behaviour.chores?.(rig.now + 1_000), [])
})
