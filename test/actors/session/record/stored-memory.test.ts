import t from 'tap'
import { restoreState } from '../../../../actors/session/record/restore.js'
import type { StoredMemory } from '../../../../actors/session/record/stored-memory.js'
import { weighRow } from '../../../../actors/session/record/weight.js'
import { inOneGo } from '../../../../src/domain/pieces.js'
import type { StoredWords } from '../../../../src/domain/words/stored-words.js'
import type { StoredRow } from '../../../../src/ports.js'
import { createExactIndexes } from '../../../../src/vectors/exact-index.js'
import { createSessionRig } from '../../../support/session-rig.js'

/** A record of one memory, and the terms by which its session finds it after a change of the row's words. */
async function storedSession() {
  const first = { type: 'session.run', message: 'Rivers rise in hills', resetContext: false } as const
  const session = await createSessionRig().open('s', first)
  const record = await session.record()
  const row = record.rows.find(({ collection }) => collection === 'memory')
  if (row === undefined) throw new Error('no memory was stored')
  const body = row.body as StoredMemory
  function termsWith(change: (words: StoredWords) => StoredWords): readonly string[] {
    if (body.words === undefined) throw new Error('no words were stored')
    const changed = { ...row, body: { ...body, words: change(body.words) } } as StoredRow
    const rows = record.rows.map((other) => (other === row ? changed : other))
    const state = inOneGo(restoreState(session.state.address, { ...record, rows }, { createVectorIndex: createExactIndexes() }))
    const entry = state.corpus.get(body.id)
    if (entry === undefined || 'words' in entry.memory) throw new Error('the memory is not as it was')
    return state.corpus.terms(body.id, 10)
  }
  return { row, body, termsWith, terms: session.state.corpus.terms(body.id, 10) }
}

t.test('memories: the words stored with one are those that its session finds it by again', async (t) => {
  const { termsWith, terms } = await storedSession()
  t.ok(terms.length > 1)
  t.strictSame(
    termsWith((words) => words),
    terms
  )
  // The text is not read again.
  t.strictSame(
    termsWith((words) => ({ ...words, terms: 'zebra', counts: [1] })),
    ['zebra']
  )
})

t.test('memories: words that another version stored, read from the text again', async (t) => {
  const { termsWith, terms } = await storedSession()
  t.strictSame(
    termsWith((words) => ({ ...words, version: 0, terms: 'zebra', counts: [1] })),
    terms
  )
})

t.test('memories: stored words take no memory of the session', async (t) => {
  const { row, body } = await storedSession()
  const { words: _, ...memory } = body
  t.strictSame(weighRow(row), weighRow({ ...row, body: memory }))
})
