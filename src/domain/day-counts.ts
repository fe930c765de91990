/** Daily statistics of a session: turns, drift, and short circuits with the tokens they saved. Numbers only. */
import { SECONDS_PER_DAY } from './calendar.js'

/** Days kept per session: a month. */
export const DAYS_MAX = 31

/** Replaced, never mutated. */
export interface DayCount {
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly turns: number
  /** Turns whose drift was judged, because their message had a vector. */
  readonly judgedTurns: number
  /** Sum of the drift scores of the judged turns, each 0..1. */
  readonly driftSum: number
  readonly driftMax: number
  /** Turns whose score reached the drift threshold. */
  readonly driftedTurns: number
  readonly shortCircuits: number
  /** Tokens that a reader would have read and written for short-circuited turns. */
  readonly savedTokens: number
}

interface CountedTurn {
  /** 0..1; null for a turn that was not judged. */
  readonly driftScore: number | null
  readonly isDrifted: boolean
  /** Null unless the turn was a short circuit. */
  readonly savedTokens: number | null
}

/** Counts of a day that can be summed over sessions. A tuple without names, because it is part of every stored head. */
export type DaySum = readonly [day: number, turns: number, driftedTurns: number, shortCircuits: number, savedTokens: number]

export function sumOf({ day, turns, driftedTurns, shortCircuits, savedTokens }: DayCount): DaySum {
  return [day, turns, driftedTurns, shortCircuits, savedTokens]
}

/** Sums by day, for the DAYS_MAX days up to `today`, oldest first. */
export function addedUp(sums: Iterable<DaySum>, today: number): DaySum[] {
  const days = new Map<number, DaySum>()
  for (const [day, turns, drifted, circuits, saved] of sums) {
    if (day <= today - DAYS_MAX || day > today) continue
    const [, ...known] = days.get(day) ?? [day, 0, 0, 0, 0]
    days.set(day, [day, known[0] + turns, known[1] + drifted, known[2] + circuits, known[3] + saved])
  }
  return [...days.values()].sort(([a], [b]) => a - b)
}

/** Day number; `now` in epoch seconds. */
export function dayOf(now: number): number {
  return Math.floor(now / SECONDS_PER_DAY)
}

/** Date of a day, as `2026-11-23`. */
export function dateOf(day: number): string {
  return new Date(day * SECONDS_PER_DAY * 1_000).toISOString().slice(0, 10)
}

export function withTurn(known: DayCount | undefined, day: number, turn: CountedTurn): DayCount {
  const { turns, judgedTurns, driftSum, driftMax, driftedTurns, shortCircuits, savedTokens } = known ?? EMPTY
  const isJudged = turn.driftScore !== null
  return {
    day,
    turns: turns + 1,
    judgedTurns: judgedTurns + (isJudged ? 1 : 0),
    driftSum: driftSum + (turn.driftScore ?? 0),
    driftMax: Math.max(driftMax, turn.driftScore ?? 0),
    driftedTurns: driftedTurns + (turn.isDrifted ? 1 : 0),
    shortCircuits: shortCircuits + (turn.savedTokens === null ? 0 : 1),
    savedTokens: savedTokens + (turn.savedTokens ?? 0)
  }
}

const EMPTY: Omit<DayCount, 'day'> = {
  turns: 0,
  judgedTurns: 0,
  driftSum: 0,
  driftMax: 0,
  driftedTurns: 0,
  shortCircuits: 0,
  savedTokens: 0
}

/** Days to drop on `day`: those too far in the past, and of the rest the oldest beyond DAYS_MAX. */
export function daysToForget(days: Iterable<number>, day: number): number[] {
  const known = [...days].sort((a, b) => b - a)
  return known.filter((one, at) => one <= day - DAYS_MAX || at >= DAYS_MAX)
}
