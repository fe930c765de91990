// Tests of the verdict itself: what counts as lost, doubled, torn or returned, and what it leaves open.
import t from 'tap'
import type { Operation, Outcome, Sighting } from './account.js'
import { createLedger, type Ledger } from './ledger.js'
import { isMemory, isQuestion, textOf, tokenOf } from './tokens.js'
import type { Finding } from './verdict.js'

const CREATED = 100

type Step = readonly [adds: readonly string[], outcome: Outcome, removes?: Operation['removes']]

/** Ledger after these attempts, one after the other; those in a list overlap. */
function tried(...steps: readonly (Step | readonly Step[])[]): Ledger {
  const ledger = createLedger()
  for (const step of steps) attempt(ledger, isOverlap(step) ? step : [step])
  return ledger
}

function isOverlap(step: Step | readonly Step[]): step is readonly Step[] {
  return typeof step[1] !== 'string'
}

function attempt(ledger: Ledger, steps: readonly Step[]): void {
  const begun = steps.map(([adds, outcome, removes = []]) => ({
    outcome,
    attempt: ledger.begin({ name: 'write', session: 's', adds, removes })
  }))
  for (const { outcome, attempt } of begun) ledger.end(attempt, outcome)
}

/** Sighting of a session with these tokens and correct counts, unless `changes` overrides them. */
function seeing(tokens: readonly (string | null)[], changes: Partial<Sighting> = {}): Sighting {
  const memories = tokens.filter((token) => token === null || isMemory(token)).length
  const interactionCount = new Set(tokens.filter((token) => token !== null && isQuestion(token))).size
  return { tokens, createdAt: CREATED, interactionCount, memoryCount: memories, entityCount: tokens.length - memories, ...changes }
}

function found(ledger: Ledger, seen: Sighting | null): string[] {
  return ledger.check('s', seen).findings.map(({ sort, count }: Finding) => `${count} ${sort}`)
}

t.test('tokens: a text, known by its token; any other, nobody’s', async (t) => {
  t.equal(tokenOf(textOf('q7')), 'q7')
  t.equal(tokenOf(`${textOf('q7')}.`), null)
  t.equal(tokenOf('q7'), null)
})

t.test('an acknowledged write: there once, or lost or doubled', async (t) => {
  t.strictSame(found(tried([['a1'], 'acknowledged']), seeing(['a1'])), [])
  t.strictSame(found(tried([['a1'], 'acknowledged']), seeing([])), ['1 lost'])
  t.strictSame(found(tried([['a1'], 'acknowledged']), seeing(['a1', 'a1', 'a1'])), ['2 doubled'])
})

t.test('a write without an answer: there or not, never twice or in part', async (t) => {
  t.strictSame(found(tried([['a1', 'q1'], 'unknown'], [[], 'acknowledged']), seeing([])), [])
  t.strictSame(found(tried([['a1', 'q1'], 'unknown']), seeing(['a1', 'q1'])), [])
  t.strictSame(found(tried([['a1'], 'unknown']), seeing(['a1', 'a1'])), ['1 doubled'])
  t.strictSame(found(tried([['i1', 'i2', 'i3'], 'unknown']), seeing(['i2'])), ['1 torn', '1 torn'])
})

t.test('a write without an answer: decided by the first look', async (t) => {
  const came = tried([['a1'], 'unknown'])
  t.strictSame(found(came, seeing(['a1'])), [])
  t.strictSame(found(came, seeing([])), ['1 lost'])
  const stayedAway = tried([['a1'], 'unknown'], [['a2'], 'acknowledged'])
  t.strictSame(found(stayedAway, seeing(['a2'])), [])
  t.strictSame(found(stayedAway, seeing(['a2', 'a1'])), ['1 returned'])
})

t.test('a refused write has left nothing', async (t) => {
  t.strictSame(found(tried([['a1'], 'acknowledged'], [['a2'], 'refused']), seeing(['a1', 'a2'])), ['1 foreign'])
})

t.test('a deletion: acknowledged, done for good; without an answer, done or not; refused, no excuse', async (t) => {
  const deleted = tried([['a1', 'a2'], 'acknowledged'], [[], 'acknowledged', ['a1']])
  t.strictSame(found(deleted, seeing(['a2'])), [])
  t.strictSame(found(deleted, seeing(['a2', 'a1'])), ['1 returned'])
  t.strictSame(found(tried([['a1'], 'acknowledged'], [[], 'acknowledged', ['a1']]), seeing(['a1'])), ['1 returned'])
  for (const tokens of [[], ['a1']]) t.strictSame(found(tried([['a1'], 'acknowledged'], [[], 'unknown', ['a1']]), seeing(tokens)), [])
  t.strictSame(found(tried([['a1'], 'acknowledged'], [[], 'refused', ['a1']]), seeing([])), ['1 lost'])
})

t.test('a reset takes what was before it and leaves what came after, either for what overlaps it', async (t) => {
  const reset: Step = [['q9'], 'acknowledged', 'memories']
  t.strictSame(found(tried([['a1'], 'acknowledged'], reset, [['a2'], 'acknowledged']), seeing(['q9', 'a2'])), [])
  t.strictSame(found(tried([['a1'], 'acknowledged'], reset), seeing(['a1', 'q9'])), ['1 returned'])
  t.strictSame(found(tried(reset, [['a2'], 'acknowledged']), seeing(['q9'])), ['1 lost'])
  for (const tokens of [['q9'], ['a1', 'q9']]) t.strictSame(found(tried([[['a1'], 'acknowledged'], reset]), seeing(tokens)), [])
})

t.test('a reset without an answer: wholly done or not at all', async (t) => {
  const torn: Step = [['q9'], 'unknown', 'memories']
  t.strictSame(found(tried([['a1'], 'acknowledged'], torn), seeing(['q9'])), [])
  t.strictSame(found(tried([['a1'], 'acknowledged'], torn), seeing(['a1'])), [])
  t.strictSame(found(tried([['a1'], 'acknowledged'], torn), seeing(['a1', 'q9'])), ['1 returned'])
  t.strictSame(found(tried([['a1'], 'acknowledged'], torn), seeing([])), ['1 lost'])
})

t.test('an entity put again: the new value, or without an answer either; never none', async (t) => {
  const again = (outcome: Outcome) => tried([['k=v1'], 'acknowledged'], [['k=v2'], outcome, ['k=']])
  t.strictSame(found(again('acknowledged'), seeing(['k=v2'])), [])
  t.strictSame(found(again('acknowledged'), seeing(['k=v1'])), ['1 returned', '1 lost'])
  for (const token of ['k=v1', 'k=v2']) t.strictSame(found(again('unknown'), seeing([token])), [])
  t.strictSame(found(again('unknown'), seeing([])), ['1 lost'])
})

t.test('a session: gone only with its removal, back only with a write', async (t) => {
  const drop: Step = [[], 'acknowledged', 'session']
  t.strictSame(found(tried([[], 'acknowledged']), null), ['1 lost'])
  t.strictSame(found(tried([['k=v1', 'a1'], 'acknowledged'], drop), null), [])
  t.strictSame(found(tried([[], 'acknowledged'], drop), seeing([])), ['1 returned'])
  t.strictSame(found(tried([['a1'], 'acknowledged'], drop, [['q2'], 'unknown']), seeing(['q2'], { createdAt: CREATED + 1 })), [])
  t.strictSame(found(tried(), seeing([])), ['1 returned'])
})

t.test('a removal of the session without an answer: no excuse while the session is the same', async (t) => {
  const ledger = tried([['a1', 'a2'], 'acknowledged'])
  t.strictSame(found(ledger, seeing(['a1', 'a2'])), [])
  attempt(ledger, [[[], 'unknown', 'session']])
  t.strictSame(found(ledger, seeing(['a1'])), ['1 lost'])
  attempt(ledger, [[[], 'unknown', 'session']])
  t.strictSame(found(ledger, null), [])
})

t.test('interaction_count: the turns that happened, also those whose messages were deleted', async (t) => {
  const ledger = tried([['q1'], 'acknowledged'], [['q2'], 'acknowledged'], [['q3'], 'unknown'], [[], 'acknowledged', ['q1']])
  t.strictSame(found(ledger, seeing(['q2', 'q3'], { interactionCount: 3 })), [])
  t.strictSame(found(ledger, seeing(['q2', 'q3'], { interactionCount: 4 })), ['1 doubled'])
  const turns = () => tried([['q1'], 'acknowledged'], [['q2'], 'acknowledged'])
  t.strictSame(found(turns(), seeing(['q1', 'q2'], { interactionCount: 3 })), ['1 doubled'])
  t.strictSame(found(turns(), seeing(['q1', 'q2'], { interactionCount: 0 })), ['2 lost'])
})

t.test('interaction_count after a reset: the turns since', async (t) => {
  const ledger = tried([['q1'], 'acknowledged'], [['q2'], 'acknowledged', 'memories'], [['q3'], 'acknowledged'])
  t.strictSame(found(ledger, seeing(['q2', 'q3'], { interactionCount: 3 })), ['1 doubled'])
  t.strictSame(found(ledger, seeing(['q2', 'q3'], { interactionCount: 3 })), [], 'taken as it is from then on')
})

t.test('texts that nobody wrote and totals that do not fit are found', async (t) => {
  t.strictSame(found(tried([['a1'], 'acknowledged']), seeing(['a1', null, 'a2'])), ['1 foreign', '1 foreign'])
  t.strictSame(found(tried([['a1'], 'acknowledged']), seeing(['a1'], { memoryCount: 2 })), ['1 miscounted'])
})

t.test('standing tokens: what was acknowledged and nothing may have removed', async (t) => {
  const ledger = tried(
    [['a1', 'a2', 'k=v1'], 'acknowledged'],
    [['k=v2'], 'acknowledged', ['k=']],
    [['a3'], 'unknown'],
    [[], 'unknown', ['a2']]
  )
  t.strictSame(ledger.standing('s'), ['a1', 'k=v2'])
})
