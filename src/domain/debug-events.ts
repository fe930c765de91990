/**
 * All kinds of debug events with their meaning and fields. The only such list: the type of kinds derives from it, and docs/debug-events.md
 * is generated from it. An event never carries a memory's text, a vector or a token.
 */

interface DebugEventEntry {
  readonly meaning: string
  /** Meaning of each field by its name in the code; on the wire, names are in snake case. */
  readonly fields: Readonly<Record<string, string>>
}

const turn = 'turn of the session'
const durationMs = 'milliseconds'
const candidates = 'candidates that came out of the stage'
const leading = 'the best of them: `memoryHash`, `score` (0 to 1, null before there is one) and `components`'
const stage = { stage: 'name of the stage', durationMs, candidates, leading, turn }
/** Identifies an actor that is not a session; sessions are identified by `session_id`. */
const actor = { actor: 'kind of the actor, unless it is a session', id: 'its id, unless it is a session' }
const coupling = 'weight of the pull, 0 to 1'
const bytes = 'UTF-8 bytes of their keys, values and contexts'
const from = 'before'
const to = 'after'
const driftScore = 'drift score, 0 to 1'
const driftPhase = '`stable`, `shifting` or `drifted`'

export const DEBUG_EVENTS = {
  'turn.started': { meaning: 'A run was taken up; its texts are embedded already.', fields: { turn } },
  'turn.finished': {
    meaning: 'A run was decided. Its changes are stored next, before it is answered.',
    fields: {
      turn,
      durationMs: 'milliseconds of the step alone',
      topSimilarity: 'best similarity to the latest turns',
      driftScore,
      driftPhase,
      phase: 'phase of understanding',
      isShortCircuit: 'an answered question was asked again',
      isFaulty: 'retrieval failed, and the context block is empty',
      isolationAction: 'what became of the input',
      isolationSimilarity: 'best similarity to the domain; null without one'
    }
  },
  retrieve: { meaning: 'Candidates were looked up by vector and by words.', fields: stage },
  fuse: { meaning: 'The two rankings became one.', fields: stage },
  rerank: { meaning: 'Recency, importance and the like were weighed, and repetitions thinned.', fields: stage },
  serialize: {
    meaning: 'The context block was written.',
    fields: { stage: stage.stage, durationMs, candidates: 'memories in the block', turn }
  },
  'retrieval.ranked': {
    meaning: 'The hits that compete for the context block, best first.',
    fields: { turn, hits: 'each with `memoryHash`, `score` and `components`' }
  },
  'retrieval.shared': {
    meaning: 'What a cluster knew of the message.',
    fields: {
      turn,
      clusterId: 'the cluster',
      isAnswered: 'it knew an answer to the same question',
      hits: 'each with `memoryHashes` and `score`'
    }
  },
  'retrieve.failed': { meaning: 'Retrieval failed; the turn went on without it.', fields: { turn, error: 'name of the error' } },
  'retrieve.cluster_failed': {
    meaning: 'A cluster could not be asked; the turn went on without it.',
    fields: { clusterId: 'the cluster', code: 'why' }
  },
  'drift.moved': { meaning: 'The drift phase of a session changed.', fields: { from, to, driftScore, turn } },
  'understanding.moved': { meaning: 'The phase of understanding of a session changed.', fields: { from, to, turn } },
  'topic.switched': {
    meaning: 'A session went to another topic segment.',
    fields: { from: 'number of the segment before', to: 'number of the segment after', turn }
  },
  'isolation.moved': { meaning: 'The isolation level of a session was changed.', fields: { from, to, turn } },
  'isolation.decided': {
    meaning: 'Isolation did something with an input.',
    fields: {
      level: 'isolation level',
      action: 'what became of the input',
      similarity: 'best similarity to the domain; null without one',
      turn
    }
  },
  'isolation.hold_full': {
    meaning: 'An input was blocked, for there was no room to hold it.',
    fields: { heldCount: 'inputs that are held' }
  },
  'trigger.fired': { meaning: 'A trigger fired on a text.', fields: { triggerId: 'the trigger', keyword: 'its keyword', turn } },
  'literals.loaded': { meaning: "A session's literal cache was filled with what came with it.", fields: { entities: 'how many', bytes } },
  'literals.evicted': {
    meaning: "Entities left a session's literal cache.",
    fields: { entities: 'how many', bytes, reason: '`removed`, `replaced` by an import, or `put_away` with the session' }
  },
  'fold.member_to_cluster': {
    meaning: 'Findings of a member were taken into the session behind a cluster.',
    fields: { fromSessionId: 'the member', exchanges: 'how many' }
  },
  'fold.aggregate': {
    meaning: "A cluster's aggregate was made of its members' states.",
    fields: { ...actor, members: 'how many', mode: 'how they were weighed' }
  },
  'fold.feedback': {
    meaning: 'A cluster decided to blend its aggregate into its members.',
    fields: { ...actor, sessions: 'how many', coupling }
  },
  'fold.blend': { meaning: "A session's state was pulled to another vector.", fields: { deliveryId: 'name of the pull', coupling, turn } },
  'fold.transfer': {
    meaning: 'A part of another session was added to the state.',
    fields: { sourceSessionId: 'the other session', deltaNorm: 'length of what was added', turn }
  },
  'fold.cluster_to_region': {
    meaning: 'A region began to gather the consensus of its clusters.',
    fields: { ...actor, clusters: 'how many are attached' }
  },
  'fold.region_to_cluster': {
    meaning: 'A region pulls its clusters to the consensus, or a cluster was pulled.',
    fields: { ...actor, clusters: 'how many are pulled; told by the region', coupling: 'told by the cluster' }
  },
  'drift.noted': {
    meaning: 'A cluster took note of a drift, and tells its regions.',
    fields: { ...actor, driftScore, driftPhase, regions: 'how many' }
  },
  'region.voted': {
    meaning: "A cluster's drift reached a region.",
    fields: { ...actor, clusterId: 'the cluster', driftScore, isCounted: 'it counts as a vote' }
  },
  'region.realigned': {
    meaning: 'The votes of a region are a consensus: it realigns.',
    fields: { ...actor, clusters: 'how many are attached' }
  },
  'observer.sampled': {
    meaning: 'The observer looked at its clusters.',
    fields: { ...actor, clustersSampled: 'how many', regionsSampled: 'how many', durationMs, newAnomalies: 'how many' }
  },
  'observer.anomaly': {
    meaning: 'The observer recorded an anomaly.',
    fields: { ...actor, anomalyId: 'the anomaly', anomalyType: 'what sort it is', severity: '0 to 1' }
  },
  'network.switched': {
    meaning: 'Another user partition became the active one.',
    fields: { ...actor, users: 'how many partitions there are' }
  },
  'network.decided': {
    meaning: 'A proposal was voted on.',
    fields: { ...actor, accepted: 'the outcome', approval: 'weight of those in favour, 0 to 1', votes: 'how many' }
  },
  'store.written': {
    meaning: 'A commit became durable.',
    fields: { ...actor, rowsPut: 'rows written', rowsRemoved: 'rows removed', bytes: 'about how many were written', durationMs }
  },
  'actor.activating': { meaning: 'An actor is being read from storage, or made.', fields: actor },
  'actor.rehydrated': {
    meaning: 'An actor came back with what was stored.',
    fields: { ...actor, size: 'memories of a session, rows of another kind', durationMs }
  },
  'actor.activated': { meaning: 'An actor takes commands.', fields: actor },
  'actor.passivating': { meaning: 'An idle actor is being put away.', fields: actor },
  'actor.evicted': { meaning: 'An actor was put away.', fields: actor },
  'actor.deleted': { meaning: 'An actor ended with its record.', fields: actor },
  'actor.missed': { meaning: 'There was nothing stored, and no command that may make it.', fields: actor },
  'actor.fenced': { meaning: 'Another activation took the record over.', fields: actor },
  'actor.failed': {
    meaning: 'An actor failed; its next command starts it anew from storage.',
    fields: { ...actor, code: 'why, as far as it is an expected refusal; else `failure`' }
  },
  'actor.restart_limited': { meaning: 'An actor failed too often, and is not started for a while.', fields: actor },
  'supervisor.started': { meaning: 'A supervisor took its kind of actors over.', fields: { supervisor: 'kind of its actors' } },
  'nodes.changed': {
    meaning: 'A node came, went, or changed what it is, as this one sees it.',
    fields: {
      node: 'this node',
      state: 'what it is itself',
      known: 'nodes that it hears, itself included',
      placeable: 'nodes that own actors',
      view: 'hash of those: nodes with the same one agree on every owner'
    }
  },
  'supervisor.ended': {
    meaning: 'Actors of one kind failed too often: their supervisor gave up, and is started anew.',
    fields: { supervisor: 'kind of its actors' }
  }
} as const satisfies Readonly<Record<string, DebugEventEntry>>

export type DebugEventKind = keyof typeof DEBUG_EVENTS
