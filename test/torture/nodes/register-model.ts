/**
 * Linearizability of puts and looks of one value: whether they can have happened one after the other, each at a moment between its
 * invocation and its end. Every value is put once, so each look has its put and no search is needed: a put and the looks that return its
 * value form a cluster, and clusters must follow each other as wholes. Method: Gibbons and Korach, Testing shared memories (SIAM Journal on
 * Computing, 1997), as presented by Golab, Li and Shah, Analyzing consistency properties for fun and profit (PODC 2011).
 */
import type { Defect } from './append-model.js'
import { type CallOf, callsOf, endOf, type Entry, latestOf, precedes } from './history.js'

interface Cluster {
  /** Null for the time before the first put. */
  readonly value: string | null
  readonly looks: readonly CallOf<'look'>[]
  readonly putAt: number
  /** When the first of its calls ended: the value was there by then. */
  readonly thereAt: number
  /** When the last of its calls was invoked: the value was there then or later. */
  readonly thereStill: number
}

/** Defects of the puts and looks of one key of one session; empty if they are linearizable. */
export function checkRegister(entries: readonly Entry[]): Defect[] {
  const puts = callsOf(entries, 'put').filter(({ outcome }) => outcome === 'ok' || outcome === 'unknown')
  const looks = callsOf(entries, 'look').filter(({ outcome }) => outcome === 'ok')
  const values = new Set(puts.map(({ value }) => value))
  const foreign = looks.filter(({ value }) => value !== null && !values.has(value))
  const early = puts.flatMap((put) => looks.filter((look) => look.value === put.value && precedes(look, put)))
  return [
    ...foreign.map(({ value }): Defect => ({ sort: 'foreign', detail: `${String(value)} was not put` })),
    ...early.map(({ value }): Defect => ({ sort: 'foreign', detail: `${String(value)} was read before it was put` })),
    ...findConflicts(clustersOf(puts, looks), latestOf(looks))
  ]
}

function clustersOf(puts: readonly CallOf<'put'>[], looks: readonly CallOf<'look'>[]): Cluster[] {
  const looksAt = new Map<string | null, CallOf<'look'>[]>()
  for (const look of looks) looksAt.set(look.value, [...(looksAt.get(look.value) ?? []), look])
  const unset = looksAt.get(null) ?? []
  const clusters: Cluster[] = [{ value: null, looks: unset, putAt: -Infinity, thereAt: -Infinity, thereStill: lastOf(unset) }]
  for (const put of puts) {
    const own = looksAt.get(put.value) ?? []
    // A put with an unknown outcome whose value nobody saw need not have happened.
    if (put.outcome === 'unknown' && own.length === 0) continue
    const thereAt = Math.min(endOf(put), ...own.map(({ ended }) => ended))
    clusters.push({ value: put.value, looks: own, putAt: put.invoked, thereAt, thereStill: Math.max(put.invoked, lastOf(own)) })
  }
  return clusters
}

function nameOf({ value }: Cluster): string {
  return value ?? 'nothing'
}

function lastOf(looks: readonly CallOf<'look'>[]): number {
  return looks.reduce((latest, { invoked }) => Math.max(latest, invoked), -Infinity)
}

/** Pairs of clusters of which neither can precede the other: each value was there before the last call of the other cluster. */
function findConflicts(clusters: readonly Cluster[], last: CallOf<'look'> | undefined): Defect[] {
  const defects: Defect[] = []
  for (const [at, one] of clusters.entries()) {
    for (const other of clusters.slice(at + 1)) {
      if (one.thereAt >= other.thereStill || other.thereAt >= one.thereStill) continue
      const [read, missed] = one.thereStill > other.thereStill ? [one, other] : [other, one]
      const isLost = last !== undefined && read.looks.includes(last) && read.putAt < missed.putAt
      const detail = `${nameOf(read)} was there at ${read.thereStill}, and ${nameOf(missed)} at ${missed.thereAt} and ${missed.thereStill}`
      defects.push({ sort: isLost ? 'lost' : 'stale', detail })
    }
  }
  return defects
}
