/** What a session works out in pieces before a step that searches it. */
import t from 'tap'
import { settle } from '../../../actors/session/settle.js'
import type { SessionState } from '../../../actors/session/state.js'
import type { Prepared } from '../../../actors/session/work.js'
import { lexicalVector } from '../../../src/domain/lexical-features.js'
import { atOnce, inOneGo } from '../../../src/domain/pieces.js'
import type { RunTurn, SessionCommand } from '../../../src/domain/session-commands.js'
import { readTextAtOnce } from '../../../src/domain/text/reading.js'
import { queryWords } from '../../../src/retrieval/query.js'
import { corpusOf, DIMENSION, memoryEntry, NOON } from '../../support/memories.js'

const TEXT = 'Which harbour was painted red?'
const RUN: RunTurn = { type: 'session.run', message: TEXT, resetContext: false }
const MANY = Array.from({ length: 5_000 }, (_, at) => memoryEntry(at, `The red harbour of keeper ${at}`))

function prepared(): Prepared {
  const text = { text: TEXT, partEnds: [TEXT.length], vectors: lexicalVector(TEXT, DIMENSION) }
  return { embedder: null, texts: new Map([[TEXT, text]]), readings: new Map([[TEXT, readTextAtOnce(TEXT)]]), shares: new Map(), removals: 0 }
}

/** What settling takes of a session's state. */
function stateOf(memories: typeof MANY): SessionState {
  const corpus = corpusOf(...memories)
  inOneGo(corpus.settle() ?? atOnce(() => undefined))
  const state: Partial<SessionState> = { corpus, unread: new Set() }
  return state as SessionState
}

t.test('a large session looks ahead for what a command searches, once, and finds the same', async (t) => {
  const words = queryWords(readTextAtOnce(TEXT))
  const best = ({ corpus }: SessionState) => corpus.matching(words, NOON).best({ limit: 20, accept: () => true }).map(({ memory }) => memory.id)
  const plain = best(stateOf(MANY))
  const commands: SessionCommand[] = [RUN, { type: 'session.search', query: TEXT, topK: 5, filter: {}, explain: false }, { type: 'session.dedupCheck', text: TEXT }]
  for (const command of commands) {
    const state = stateOf(MANY)
    const next = { command, prepared: prepared() }
    t.ok([...(settle(state, next) ?? [])].length > 10, command.type)
    t.same(best(state), plain)
    t.equal(settle(state, next), null, 'nothing is left')
  }
})

t.test('nothing is looked ahead for in a small session, or for a command that stores something first', async (t) => {
  t.equal(settle(stateOf(MANY.slice(0, 100)), { command: RUN, prepared: prepared() }), null)
  const state = stateOf(MANY)
  t.equal(settle(state, { command: { ...RUN, response: TEXT }, prepared: prepared() }), null)
  t.equal(settle(state, { command: { ...RUN, resetContext: true }, prepared: prepared() }), null)
  t.equal(settle(state, null), null)
})
