import type { MetricsSnapshot, ReadMetrics, TriggerView } from '../../../src/domain/commands/session-commands.js'
import { isAlive } from '../../../src/domain/expiry.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Tier } from '../../../src/domain/session.js'
import { anchorSimilarity } from '../recall/scale.js'
import type { SessionState } from '../record/state.js'
import { tierOf } from '../record/views.js'
import type { Work } from '../record/work.js'
import { coherence } from '../semantic-state/folds.js'

/** Memories counted in one piece of work: some tenths of a millisecond. */
const MEMORIES_A_PIECE = 1_024

/** Returns the metrics of a session. */
export function* readMetrics({ state, services, now }: Work, _: ReadMetrics): Pieces<MetricsSnapshot> {
  const { head } = state
  const { mean, variance } = coherence(state, head.folds)
  const tiers: Record<Tier, number> = { short_term: 0, medium_term: 0, long_term: 0 }
  let looked = 0
  for (const entry of state.corpus.ordered()) {
    if (++looked % MEMORIES_A_PIECE === 0) yield
    if (isAlive(entry.memory, now)) tiers[tierOf(state, entry)] += 1
  }
  return {
    phase: head.phase,
    driftPhase: head.driftPhase,
    driftScore: head.driftScore,
    driftThreshold: services.driftThreshold,
    interactionCount: head.interactionCount,
    totalMemories: tiers.short_term + tiers.medium_term + tiers.long_term,
    tiers: { shortTerm: tiers.short_term, mediumTerm: tiers.medium_term, longTerm: tiers.long_term },
    meanSimilarity: mean,
    similarityVariance: variance,
    topicSwitches: head.topicSwitches,
    shortCircuits: head.shortCircuits,
    anchorCount: state.anchors.size,
    anchorScore: anchorSimilarity(state),
    triggerCount: state.triggers.size,
    triggers: triggerViews(state),
    entityCount: state.literals.held().entities,
    isolation: { level: head.isolationLevel, similarityThreshold: head.isolationThreshold, quarantinedCount: state.held.size },
    dimension: head.settings.dimension,
    modelName: head.settings.modelName,
    useCortex: head.settings.useCortex,
    enableTopicSwitch: head.settings.enableTopicSwitch,
    createdAt: head.settings.createdAt,
    lastActiveAt: head.lastActiveAt
  }
}

/** Sorted by id, as the order in which triggers were set is not stored. */
function triggerViews(state: SessionState): TriggerView[] {
  return [...state.triggers.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, keyword, firedCount, firedTurn }) => ({
      triggerId: id,
      keyword,
      firedCount,
      lastFiredTurn: firedCount === 0 ? null : firedTurn
    }))
}
