import type { ReadDays, SessionReplies } from '../../../src/domain/commands/session-commands.js'
import { dateOf } from '../../../src/domain/day-counts.js'
import type { Work } from '../record/work.js'

/** Returns the days on which the session had turns, oldest first. */
export function readDays({ state }: Work, _: ReadDays): SessionReplies['session.days'] {
  const days = [...state.days.values()].sort((a, b) => a.day - b.day)
  return {
    days: days.map(({ day, turns, judgedTurns, driftSum, driftMax, driftedTurns, shortCircuits, savedTokens }) => ({
      date: dateOf(day),
      turns,
      driftMean: judgedTurns === 0 ? null : driftSum / judgedTurns,
      driftMax: judgedTurns === 0 ? null : driftMax,
      driftedTurns,
      shortCircuits,
      savedTokens
    }))
  }
}
