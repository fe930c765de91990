/** Counts what the replay showed: drift at the changes of topic, short circuits, tokens, latency. */
import type { TurnResult } from './replay.js'

export interface Summary {
  readonly turns: number
  readonly topicChanges: number
  /** Changes of topic on which the service reported drift. */
  readonly driftFound: number
  /** Changes of topic that were at least `shifting`. */
  readonly shiftFound: number
  /** Turns within a topic on which it reported drift all the same. */
  readonly driftElsewhere: number
  /** Chance that a change of topic scores higher than a turn within one: 0.5 is guessing, 1 is perfect. */
  readonly driftRanking: number
  readonly repeats: number
  readonly shortCircuitsRight: number
  /** On a turn that repeats nothing: worse than a miss. */
  readonly shortCircuitsWrong: number
  readonly nearMisses: number
  readonly nearMissesRefused: number
  readonly contextTokens: number
  readonly historyTokens: number
  readonly latencyP50Ms: number
  readonly latencyP95Ms: number
}

export function summarise(results: readonly TurnResult[]): Summary {
  const changes = results.filter(({ isTopicChange }) => isTopicChange)
  // The first turn has nothing to drift from.
  const others = results.filter(({ isTopicChange, number }) => !isTopicChange && number > 1)
  const repeats = results.filter(({ turn }) => turn.kind === 'repeat')
  const nearMisses = results.filter(({ turn }) => turn.kind === 'near miss')
  const fired = results.filter(({ answer }) => answer.short_circuit)
  const latencies = results.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  return {
    turns: results.length,
    topicChanges: changes.length,
    driftFound: changes.filter(({ answer }) => answer.drift_detected).length,
    shiftFound: changes.filter(({ answer }) => answer.drift_phase !== 'stable').length,
    driftElsewhere: others.filter(({ answer }) => answer.drift_detected).length,
    driftRanking: ranking(scores(changes), scores(others)),
    repeats: repeats.length,
    shortCircuitsRight: fired.filter(({ turn }) => turn.kind === 'repeat').length,
    shortCircuitsWrong: fired.filter(({ turn }) => turn.kind !== 'repeat').length,
    nearMisses: nearMisses.length,
    nearMissesRefused: nearMisses.filter(({ answer }) => !answer.short_circuit).length,
    contextTokens: sum(results.map(({ contextTokens }) => contextTokens)),
    historyTokens: sum(results.map(({ historyTokens }) => historyTokens)),
    latencyP50Ms: percentile(latencies, 0.5),
    latencyP95Ms: percentile(latencies, 0.95)
  }
}

/** The area under the ROC curve, counted pair by pair; a tie counts half. */
function ranking(higher: readonly number[], lower: readonly number[]): number {
  if (higher.length === 0 || lower.length === 0) return 0.5
  const wins = higher.map((high) => sum(lower.map((low) => (high > low ? 1 : high === low ? 0.5 : 0))))
  return sum(wins) / (higher.length * lower.length)
}

/** Nearest rank in a sorted list; 0 for an empty one. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

function scores(results: readonly TurnResult[]): number[] {
  return results.map(({ answer }) => answer.drift_score)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
