// The checkers, on histories written by hand, histories of a correct object, and random ones.
import fc from 'fast-check'
import t from 'tap'
import { appendModel, isLinearizable, type Model, registerModel } from './exhaustive-search.js'
import { callsOf, endOf, type Entry, type Outcome, precedes } from './history.js'
import { checkHistory } from './linearizability.js'
import { simulatedHistory } from './simulated-history.js'
import { countViolations } from './violation.js'

/** Most calls of a history that the exhaustive search decides quickly. */
const SMALL = 10
const RUNS = 3000

type Span = readonly [invoked: number, ended: number]

function append(tokens: string, [invoked, ended]: Span, outcome: Outcome = 'ok'): Entry {
  return { kind: 'append', session: 's', tokens: tokens.split(' '), invoked, ended, outcome }
}

function list(tokens: string, [invoked, ended]: Span): Entry {
  return { kind: 'list', session: 's', tokens: tokens === '' ? [] : tokens.split(' '), invoked, ended, outcome: 'ok' }
}

function put(value: string, [invoked, ended]: Span, outcome: Outcome = 'ok'): Entry {
  return { kind: 'put', session: 's', key: 'k', value, invoked, ended, outcome }
}

function look(value: string | null, [invoked, ended]: Span): Entry {
  return { kind: 'look', session: 's', key: 'k', value, invoked, ended, outcome: 'ok' }
}

/** The violations found, as number and sort. */
function found(...entries: Entry[]): string[] {
  return Object.entries(countViolations(checkHistory(entries))).flatMap(([sort, count]) => (count === 0 ? [] : [`${count} ${sort}`]))
}

t.test('appends: in any order that their intervals allow', async (t) => {
  t.strictSame(found(append('a', [0, 10]), append('b', [0, 10]), list('b', [5, 6]), list('b a', [20, 30])), [])
  t.strictSame(found(list('', [0, 1]), append('a b', [0, 10]), list('a b', [4, 5]), list('a b', [20, 30])), [])
  t.strictSame(found(append('a', [0, 10]), append('b', [11, 20])), [], 'nobody looked')
})

t.test('an append without an answer: at any time after it was asked for, or never', async (t) => {
  const unknown = append('a', [0, 1], 'unknown')
  t.strictSame(found(unknown, append('b', [2, 3]), list('b', [4, 5]), list('b a', [6, 7])), [])
  t.strictSame(found(unknown, append('b', [2, 3]), list('b', [4, 5])), [])
  t.strictSame(found(unknown, list('a', [2, 3]), list('', [4, 5])), ['1 lost', '1 stale'])
})

t.test('a refused append leaves nothing', async (t) => {
  t.strictSame(found(append('a', [0, 1], 'refused'), list('', [2, 3])), [])
  t.strictSame(found(append('a', [0, 1], 'refused'), list('a', [2, 3])), ['1 foreign'])
})

t.test('an acknowledged append that is not there at the end is lost', async (t) => {
  t.strictSame(found(append('a', [0, 1]), append('b', [2, 3]), list('b', [4, 5])), ['1 lost'])
  t.strictSame(found(append('a', [0, 1]), append('b c', [2, 3]), list('a b c', [4, 5]), list('a', [6, 7])), ['2 lost', '1 stale'])
})

t.test('an append that is there twice is doubled', async (t) => {
  t.strictSame(found(append('a', [0, 1]), append('b', [2, 3]), list('a b a', [4, 5])), ['1 doubled', '1 reordered'])
  t.strictSame(found(append('a', [0, 1]), list('a a', [4, 5]), list('a a', [6, 7])), ['1 doubled'])
})

t.test('a list without what was acknowledged or listed before is stale', async (t) => {
  t.strictSame(found(append('a', [0, 1]), list('', [2, 3]), list('a', [4, 5])), ['1 stale'])
  t.strictSame(found(append('a', [0, 9]), list('a', [2, 3]), list('', [4, 5]), list('a', [10, 11])), ['1 stale'])
})

t.test('appends that followed each other and are listed the other way round are reordered', async (t) => {
  t.strictSame(found(append('a', [0, 1]), append('b', [2, 3]), list('b a', [4, 5])), ['1 reordered'])
  t.strictSame(found(append('a', [0, 9]), append('b', [0, 9]), list('a b', [10, 11]), list('b a', [12, 13])), ['1 reordered'])
})

t.test('an append that is listed before it was asked for, or in part, is found', async (t) => {
  t.strictSame(found(list('a', [0, 1]), append('a', [2, 3]), list('a', [4, 5])), ['1 foreign'])
  t.strictSame(found(append('a b', [0, 1], 'unknown'), list('a', [2, 3])), ['1 torn'])
  t.strictSame(found(append('a b', [0, 9]), append('c', [0, 9]), list('a c b', [10, 11])), ['1 torn'])
})

t.test('a session that is missing is lost', async (t) => {
  t.strictSame(found({ ...list('', [0, 1]), outcome: 'missing' }), ['1 lost'])
})

t.test('a value: the last one, or one that overlaps', async (t) => {
  t.strictSame(found(look(null, [0, 1]), put('v', [2, 9]), look(null, [3, 4]), look('v', [5, 6]), look('v', [10, 11])), [])
  t.strictSame(found(put('v', [0, 9]), put('w', [0, 9]), look('w', [1, 2]), look('v', [3, 4])), [])
  t.strictSame(found(put('v', [0, 1], 'unknown'), put('w', [2, 3]), look('w', [4, 5]), look('v', [6, 7])), [], 'it came late')
})

t.test('a value that is read but was overwritten or not put is found', async (t) => {
  t.strictSame(found(put('v', [0, 1]), put('w', [2, 3]), look('v', [4, 5])), ['1 lost'])
  t.strictSame(found(put('v', [0, 1]), put('w', [2, 3]), look('v', [4, 5]), look('w', [6, 7])), ['1 stale'])
  t.strictSame(found(put('v', [0, 1]), look(null, [2, 3]), look('v', [4, 5])), ['1 stale'])
  const late = put('v', [0, 1], 'unknown')
  t.strictSame(found(late, put('w', [2, 3]), look('v', [4, 5]), look('w', [6, 7]), look('v', [8, 9])), ['1 lost'], 'it came twice')
  t.strictSame(found(put('v', [0, 1], 'refused'), look('v', [2, 3])), ['1 foreign'])
  t.strictSame(found(look('v', [0, 1]), put('v', [2, 3])), ['1 foreign'])
})

t.test('sessions and keys: each for itself', async (t) => {
  t.strictSame(found(append('a', [0, 1]), { ...list('', [2, 3]), session: 'other' }, list('a', [4, 5])), [])
  t.strictSame(found(put('v', [0, 1]), { ...look(null, [2, 3]), key: 'other' } as Entry, look('v', [4, 5])), [])
})

t.test('histories of an object that keeps its word are accepted', async () => {
  const history = simulatedHistory({ kinds: ['append', 'list', 'put', 'look'], callsMax: 200 })
  fc.assert(fc.property(history, (entries) => checkHistory(entries).length === 0))
})

/** Changes what reads returned; null for a history without a read to change. */
type Change = (entries: readonly Entry[]) => Entry[] | null

const changes: Readonly<Record<string, Change>> = {
  'an acknowledged token lost'(entries) {
    const lists = callsOf(entries, 'list').filter(({ outcome }) => outcome === 'ok')
    const lost = callsOf(entries, 'append').find((entry) => entry.outcome === 'ok' && lists.some((one) => precedes(entry, one)))
    if (lost === undefined) return null
    const isLeft = (token: string | null) => token === null || !lost.tokens.includes(token)
    return entries.map((entry) => (entry.kind === 'list' ? { ...entry, tokens: entry.tokens.filter(isLeft) } : entry))
  },
  'a token doubled'(entries) {
    const seen = callsOf(entries, 'list').find(({ outcome, tokens }) => outcome === 'ok' && tokens.length > 0)
    if (seen === undefined) return null
    return entries.map((entry) => (entry === seen ? { ...seen, tokens: [...seen.tokens, seen.tokens[0] as string] } : entry))
  },
  'a list from before an append'(entries) {
    const lists = callsOf(entries, 'list').filter(({ outcome }) => outcome === 'ok')
    const late = lists.find((one) => lists.some((other) => precedes(other, one) && other.tokens.length > 0))
    return late === undefined ? null : entries.map((entry) => (entry === late ? { ...late, tokens: [] } : entry))
  },
  'a list the other way round'(entries) {
    const lists = callsOf(entries, 'list').filter(({ outcome }) => outcome === 'ok')
    const one = lists.find(({ tokens }) => tokens.length > 1 && lists.filter((other) => other.tokens.length > 1).length > 1)
    return one === undefined ? null : entries.map((entry) => (entry === one ? { ...one, tokens: [...one.tokens].reverse() } : entry))
  },
  'a value read after it was overwritten'(entries) {
    const puts = callsOf(entries, 'put').filter(({ outcome }) => outcome === 'ok')
    for (const look of callsOf(entries, 'look').filter(({ outcome }) => outcome === 'ok')) {
      for (const put of puts) {
        const isOver = puts.some((next) => precedes(put, next) && precedes(next, look))
        if (isOver) return entries.map((entry) => (entry === look ? { ...look, value: put.value } : entry))
      }
    }
    return null
  }
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`${name} is rejected`, async (t) => {
    let changed = 0
    const history = simulatedHistory({ kinds: ['append', 'list', 'put', 'look'], callsMax: 60 })
    fc.assert(
      fc.property(history, (entries) => {
        const wrong = change(entries)
        if (wrong === null) return true
        changed += 1
        return checkHistory(wrong).length > 0
      })
    )
    t.ok(changed > 10)
  })
}

/** Small histories with changed results of reads, about half of which are still possible. */
function disturbed(kinds: readonly ('append' | 'list' | 'put' | 'look')[]): fc.Arbitrary<Entry[]> {
  const history = simulatedHistory({ kinds, callsMin: SMALL / 2, callsMax: SMALL })
  return fc.tuple(history, fc.array(fc.nat(), { minLength: SMALL, maxLength: SMALL })).map(([entries, picks]) => {
    const reads = entries.filter(({ kind }) => kind === 'list' || kind === 'look')
    return entries.map((entry, at) => {
      const pick = picks[at] ?? 0
      const other = reads[pick % Math.max(1, reads.length)]
      if (pick % 3 === 0 || other === undefined) return entry
      if (pick % 3 === 1 && entry.kind === 'list') {
        const missing = pick % (entry.tokens.length + 1)
        return { ...entry, tokens: entry.tokens.filter((_, place) => place !== missing) }
      }
      if (entry.kind === 'list' && other.kind === 'list') return { ...entry, tokens: other.tokens }
      return entry.kind === 'look' && other.kind === 'look' ? { ...entry, value: other.value } : entry
    })
  })
}

function agrees(kinds: readonly ('append' | 'list' | 'put' | 'look')[], model: Model, counts: { good: number; bad: number }): void {
  fc.assert(
    fc.property(disturbed(kinds), (entries) => {
      const expected = isLinearizable(entries, model)
      counts[expected ? 'good' : 'bad'] += 1
      return (checkHistory(entries).length === 0) === expected
    }),
    { numRuns: RUNS }
  )
}

t.test('appends and lists by chance: accepted or rejected as the search of every order says', async (t) => {
  const counts = { good: 0, bad: 0 }
  agrees(['append', 'list'], appendModel, counts)
  t.ok(counts.good > 100 && counts.bad > 100, JSON.stringify(counts))
})

t.test('puts and looks by chance: accepted or rejected as the search of every order says', async (t) => {
  const counts = { good: 0, bad: 0 }
  agrees(['put', 'look'], registerModel, counts)
  t.ok(counts.good > 100 && counts.bad > 100, JSON.stringify(counts))
})

t.test('a long history: checked in no time', async (t) => {
  const entries: Entry[] = []
  const tokens: string[] = []
  for (let at = 0; at < 2000; at++) {
    entries.push(append(`t${at}`, [at * 10, at * 10 + 4]))
    tokens.push(`t${at}`)
    if (at % 20 === 0) entries.push(list(tokens.join(' '), [at * 10 + 5, at * 10 + 9]))
  }
  t.strictSame(found(...entries), [])
  t.ok(entries.every((entry) => endOf(entry) < Infinity))
})
