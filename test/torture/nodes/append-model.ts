/**
 * Linearizability (Herlihy and Wing, 1990) of calls that append and calls that list everything: whether they can have happened one after
 * the other, each at a moment between its invocation and its end. A list shows the whole past in order, so only one order is possible and
 * no search is needed: apart from sorting, the time is linear in the size of the history.
 */
import { type CallOf, callsOf, endOf, type Entry, latestOf, precedes } from './history.js'
import type { ViolationSort } from './violation.js'

export interface Defect {
  readonly sort: ViolationSort
  readonly detail: string
}

type Append = CallOf<'append'>
type List = CallOf<'list'>

interface Appends {
  /** Writer of each token, among all calls that may have happened. */
  readonly writers: ReadonlyMap<string, Append>
  readonly lists: readonly List[]
  /** The list with the most tokens; every other list must be a prefix of it. */
  readonly longest: List['tokens']
  /** The list that was invoked last. */
  readonly last: List | undefined
}

/** Defects of the appends and lists of one session; empty if they are linearizable. */
export function checkAppends(entries: readonly Entry[]): Defect[] {
  const lists = callsOf(entries, 'list').filter(({ outcome }) => outcome === 'ok')
  const appends = callsOf(entries, 'append').filter(({ outcome }) => outcome === 'ok' || outcome === 'unknown')
  const writers = new Map(appends.flatMap((append) => append.tokens.map((token) => [token, append] as const)))
  const longest = lists.reduce<List['tokens']>((best, { tokens }) => (tokens.length > best.length ? tokens : best), [])
  const last = latestOf(lists)
  const held: Appends = { writers, lists, longest, last }
  const lost = findLost(held, appends)
  return [
    ...[...lost].map((token): Defect => ({ sort: 'lost', detail: `${token} is not in the last list` })),
    ...findStrangers(held),
    ...findTorn(held),
    ...findForks(held, lost),
    ...findMisplaced(held, appends, lost)
  ]
}

/** Tokens missing from the last list: acknowledged or listed before it was invoked. */
function findLost({ lists, last }: Appends, appends: readonly Append[]): ReadonlySet<string> {
  if (last === undefined) return new Set()
  const known = [...appends, ...lists].filter((entry) => precedes(entry, last))
  const there = new Set(last.tokens)
  const tokens = known.flatMap((entry): readonly (string | null)[] => entry.tokens)
  return new Set(tokens.filter((token): token is string => token !== null && !there.has(token)))
}

/** Tokens that nobody wrote and tokens listed more than once, each reported once. */
function findStrangers({ lists, writers }: Appends): Defect[] {
  const doubled = new Set<string>()
  const foreign = new Set<string | null>()
  for (const { tokens } of lists) {
    const seen = new Set<string>()
    for (const token of tokens) {
      if (token === null || !writers.has(token)) foreign.add(token)
      else if (seen.has(token)) doubled.add(token)
      else seen.add(token)
    }
  }
  return [
    ...[...doubled].map((token): Defect => ({ sort: 'doubled', detail: `${token} is listed more than once` })),
    ...[...foreign].map((token): Defect => ({ sort: 'foreign', detail: `${token ?? 'a text'} is listed that nobody wrote` }))
  ]
}

/** Appends of which a list shows only a part, or shows other tokens in between. */
function findTorn({ lists, writers }: Appends): Defect[] {
  const torn = new Set<Append>()
  for (const { tokens } of lists) {
    for (const [place, token] of tokens.entries()) {
      const writer = token === null ? undefined : writers.get(token)
      if (writer === undefined || token === null) continue
      const start = place - writer.tokens.indexOf(token)
      if (!writer.tokens.every((own, at) => tokens[start + at] === own)) torn.add(writer)
    }
  }
  return [...torn].map(({ tokens }) => ({ sort: 'torn', detail: `${tokens.join(' and ')} are not together` }))
}

/** Lists that are not a prefix of the longest one. */
function findForks({ lists, longest }: Appends, lost: ReadonlySet<string>): Defect[] {
  const all = new Set(longest)
  return lists.flatMap(({ tokens, invoked }): Defect[] => {
    const at = tokens.findIndex((token, place) => token !== longest[place])
    if (at === -1) return []
    const showsLost = tokens.some((token) => token !== null && lost.has(token))
    const sort = !showsLost && tokens.every((token) => all.has(token)) ? 'reordered' : 'stale'
    return [{ sort, detail: `the list at ${invoked} leaves the longest one at place ${at + 1}` }]
  })
}

/**
 * Checks the only possible order: empty lists, the first append, lists of its tokens, the second append, and so on; last, appends that no
 * list shows. Walks it backwards: no call may have been invoked after the end of one that is later in this order.
 */
function findMisplaced({ lists, longest, writers }: Appends, appends: readonly Append[], lost: ReadonlySet<string>): Defect[] {
  const placeOf = new Map(longest.map((token, place) => [token, place + 1]))
  const isAhead = (list: List) => list.tokens.every((token, place) => token === longest[place])
  const listed = lists.filter(isAhead).map((entry) => ({ entry, slot: 2 * entry.tokens.length + 1 }))
  const shown = [...new Set(longest.flatMap((token) => (token === null ? [] : (writers.get(token) ?? []))))]
  const written = shown.map((entry) => ({ entry, slot: 2 * Math.max(...entry.tokens.map((token) => placeOf.get(token) ?? 0)) }))
  const unseen = appends.filter(({ outcome, tokens }) => outcome === 'ok' && !tokens.some((token) => placeOf.has(token) || lost.has(token)))
  const order = [...listed, ...written, ...unseen.map((entry) => ({ entry, slot: Infinity }))].sort((a, b) => b.slot - a.slot)

  const defects: Defect[] = []
  let earliest: Append | List | undefined
  for (let at = 0; at < order.length;) {
    const { slot } = order[at] as (typeof order)[number]
    let end = at
    while (order[end]?.slot === slot) end += 1
    const together = order.slice(at, end).map(({ entry }) => entry)
    for (const entry of together) if (earliest !== undefined && precedes(earliest, entry)) defects.push(misplaced(entry, earliest))
    for (const entry of together) if (earliest === undefined || endOf(entry) < endOf(earliest)) earliest = entry
    at = end
  }
  return defects
}

/** Defect of `entry`, which belongs before `other` but was invoked after its end. */
function misplaced(entry: Append | List, other: Append | List): Defect {
  if (entry.kind === 'list') return { sort: 'stale', detail: `the list at ${entry.invoked} misses what was there at ${other.ended}` }
  const name = entry.tokens.join(' and ')
  if (other.kind === 'list') return { sort: 'foreign', detail: `${name} was listed before it was written` }
  return { sort: 'reordered', detail: `${name} is before ${other.tokens.join(' and ')}, which was acknowledged before it was written` }
}
