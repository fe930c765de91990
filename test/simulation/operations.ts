/** Operations of clients, chosen beforehand, so that leaving one out does not change the others. */
import type { Chance } from '../torture/chance.js'

/** Sessions that are written and read but never deleted; the first two are members of clusters. */
export const SESSIONS = ['s1', 's2', 's3'] as const
/** Session that is created, deleted and created again. */
export const PASSING_SESSION = 'p1'
export const CLUSTERS = ['c1', 'c2'] as const
export const MEMBERS: Readonly<Record<string, readonly string[]>> = { c1: ['s1', 's2'], c2: ['s2'] }
/** Sessions that join their cluster during the faults, with the cluster of each. */
export const LATE_MEMBERS: Readonly<Record<string, string>> = { m1: 'c1', m2: 'c2' }
export const REGION = 'r1'
export const KEYS = ['left', 'right'] as const

/** What an operation does. Each token is written by one operation only. */
export type Task =
  | { readonly kind: 'inject'; readonly session: string; readonly token: string }
  | { readonly kind: 'ingest'; readonly session: string; readonly tokens: readonly string[] }
  | { readonly kind: 'run'; readonly session: string; readonly question: string; readonly answer: string | null; readonly isKeyed: boolean }
  | { readonly kind: 'store'; readonly session: string; readonly answer: string; readonly isKeyed: boolean }
  | { readonly kind: 'put'; readonly session: string; readonly key: string; readonly value: string }
  | { readonly kind: 'list' | 'look'; readonly session: string }
  | { readonly kind: 'create' | 'delete' | 'check' }
  | { readonly kind: 'append'; readonly token: string }
  | { readonly kind: 'drift'; readonly cluster: string; readonly topic: number }
  | { readonly kind: 'join'; readonly member: string }

export type Operation = Task & {
  readonly number: number
  readonly atMs: number
  /** Index of the node that is asked first; each retry goes to the next one. */
  readonly entry: number
}

const OPERATIONS_MIN = 30
const OPERATIONS_MAX = 70
const OPERATIONS_UNTIL_MS = 12_000
const ENTRIES = 3
const INGESTED_MAX = 3

/** Topics of a cluster's conversation; a change of topic is a drift. */
export const TOPICS = [
  'The goats graze on the meadow by the river and the shepherd counts them',
  'The compiler rejects this template because the overload is ambiguous',
  'Our train to Lisbon leaves at nine and the hotel is close to the harbour'
] as const

/** Half of all operations begin within this many milliseconds before or after the beginning of a fault. */
const BURST_MS = 150

/** Chooses operations, sorted by time. `faultsAtMs`: when faults begin. */
export function operationsOf(chance: Chance, faultsAtMs: readonly number[]): Operation[] {
  let tokens = 0
  const token = (letter: string): string => `${letter}${String(++tokens)}`
  const count = chance.integer(OPERATIONS_MIN, OPERATIONS_MAX)
  const times = Array.from({ length: count }, () => timeOf(chance, faultsAtMs)).sort((a, b) => a - b)
  const late = Object.keys(LATE_MEMBERS)
  return times.map((atMs, number) => ({ ...taskOf(chance, token, late), number, atMs, entry: chance.integer(0, ENTRIES - 1) }))
}

function timeOf(chance: Chance, faultsAtMs: readonly number[]): number {
  const near = chance.oneIn(2) ? chance.pick(faultsAtMs) : undefined
  return near === undefined ? chance.integer(0, OPERATIONS_UNTIL_MS) : near + chance.integer(-BURST_MS, BURST_MS)
}

function taskOf(chance: Chance, token: (letter: string) => string, late: string[]): Task {
  const session = chance.pick(SESSIONS) ?? SESSIONS[0]
  switch (chance.integer(1, 24)) {
    case 1:
    case 2:
    case 3:
      return { kind: 'inject', session, token: token('s') }
    case 4:
    case 5:
      return { kind: 'ingest', session, tokens: Array.from({ length: chance.integer(2, INGESTED_MAX) }, () => token('i')) }
    case 6:
    case 7:
    case 8:
      return { kind: 'run', session, question: token('q'), answer: chance.oneIn(2) ? token('a') : null, isKeyed: chance.oneIn(2) }
    case 9:
    case 10:
      return { kind: 'store', session, answer: token('a'), isKeyed: chance.oneIn(2) }
    case 11:
    case 12:
      return { kind: 'put', session, key: chance.pick(KEYS) ?? KEYS[0], value: token('v') }
    case 13:
      return { kind: 'look', session }
    case 14:
      return { kind: 'create' }
    case 15:
      return { kind: 'delete' }
    case 16:
      return { kind: 'append', token: token('p') }
    case 17:
      return { kind: 'check' }
    case 18:
    case 19:
    case 20:
      return { kind: 'drift', cluster: chance.pick(CLUSTERS) ?? CLUSTERS[0], topic: chance.integer(0, TOPICS.length - 1) }
    case 21: {
      const member = late.shift()
      return member === undefined ? { kind: 'list', session } : { kind: 'join', member }
    }
    default:
      return { kind: 'list', session }
  }
}
