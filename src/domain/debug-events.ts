/**
 * All kinds of debug events with their meaning and fields. The only such list: the type of kinds derives from it, and docs/debug-events.md
 * is generated from it. An event never carries a memory's text, a vector or a token.
 */

interface DebugEventEntry {
  readonly meaning: string
  /** Meaning of each field by its name in the code; on the wire, names are in snake case. */
  readonly fields: Readonly<Record<string, string>>
}

const turn = 'number of the turn in the session'
const durationMs = 'duration in milliseconds'
const candidates = 'number of candidates after the stage'
const leading = 'the best candidates, each with `memoryHash`, `score` (0 to 1, null before there is one) and `components`'
const stage = { stage: 'name of the stage', durationMs, candidates, leading, turn }
/** Identifies an actor that is not a session; sessions are identified by `session_id`. */
const actor = { actor: 'kind of the actor, unless it is a session', id: 'id of the actor, unless it is a session' }
const coupling = 'weight of the pull, 0 to 1'
const bytes = 'UTF-8 bytes of the keys, values and contexts of these entities'
const from = 'value before the change'
const to = 'value after the change'
const driftScore = 'drift score, 0 to 1'
const driftPhase = '`stable`, `shifting` or `drifted`'

export const DEBUG_EVENTS = {
  'turn.started': { meaning: 'The step of a run began; its texts are already embedded.', fields: { turn } },
  'turn.finished': {
    meaning: 'The step of a run ended. Its changes are stored next, before the run is answered.',
    fields: {
      turn,
      durationMs: 'duration of the step alone, in milliseconds',
      topSimilarity: 'highest similarity to the latest turns',
      driftScore,
      driftPhase,
      phase: 'phase of understanding',
      isShortCircuit: 'whether an answered question was asked again',
      isFaulty: 'whether retrieval failed, which leaves the context block empty',
      isolationAction: 'what isolation did with the input',
      isolationSimilarity: 'highest similarity to the domain; null without a domain'
    }
  },
  retrieve: { meaning: 'Stage 1 of retrieval: candidates were looked up by vector and by words.', fields: stage },
  fuse: { meaning: 'Stage 2 of retrieval: the two rankings were merged into one.', fields: stage },
  rerank: {
    meaning:
      'Stage 3 of retrieval: candidates were ranked again by recency, importance and other factors, and near-duplicates thinned out.',
    fields: stage
  },
  serialize: {
    meaning: 'Stage 4 of retrieval: the context block was written.',
    fields: { stage: stage.stage, durationMs, candidates: 'number of memories in the block', turn }
  },
  'retrieval.ranked': {
    meaning: 'The hits that compete for the context block, best first.',
    fields: { turn, hits: 'the hits, each with `memoryHash`, `score` and `components`' }
  },
  'retrieval.shared': {
    meaning: 'A cluster contributed what it knows about the message.',
    fields: {
      turn,
      clusterId: 'id of the cluster',
      isAnswered: 'whether it knew an answer to the same question',
      hits: 'what it contributed, each with `memoryHashes` and `score`'
    }
  },
  'retrieve.failed': { meaning: 'Retrieval failed; the turn went on without it.', fields: { turn, error: 'name of the error' } },
  'retrieve.cluster_failed': {
    meaning: 'A cluster could not be asked about the message; the turn went on without it.',
    fields: { clusterId: 'id of the cluster', code: 'error code' }
  },
  'drift.moved': { meaning: 'The drift phase of a session changed.', fields: { from, to, driftScore, turn } },
  'understanding.moved': { meaning: 'The phase of understanding of a session changed.', fields: { from, to, turn } },
  'topic.switched': {
    meaning: 'A session switched to another topic segment.',
    fields: { from: 'number of the previous segment', to: 'number of the new segment', turn }
  },
  'isolation.moved': { meaning: 'The isolation level of a session was changed.', fields: { from, to, turn } },
  'isolation.decided': {
    meaning: 'Isolation judged the input of a turn; not emitted at the level `OPEN`.',
    fields: {
      level: 'isolation level',
      action: 'what isolation did with the input',
      similarity: 'highest similarity to the domain; null without a domain',
      turn
    }
  },
  'isolation.hold_full': {
    meaning: 'An input was blocked because the quarantine is full.',
    fields: { heldCount: 'number of inputs in quarantine' }
  },
  'trigger.fired': {
    meaning: 'A trigger fired on a text.',
    fields: { triggerId: 'id of the trigger', keyword: 'keyword of the trigger', turn }
  },
  'literals.loaded': {
    meaning: "A session's literal cache was filled with the entities that were loaded with the session.",
    fields: { entities: 'number of entities', bytes }
  },
  'literals.evicted': {
    meaning: "Entities left a session's literal cache.",
    fields: { entities: 'number of entities', bytes, reason: 'why: `removed`, `replaced` by an import, or `put_away` with the session' }
  },
  'fold.member_to_cluster': {
    meaning: 'Findings of a member session were taken into the session behind its cluster.',
    fields: { fromSessionId: 'id of the member', exchanges: 'number of exchanges' }
  },
  'fold.aggregate': {
    meaning: "A cluster's aggregate was computed from the states of its members.",
    fields: { ...actor, members: 'number of members', mode: 'aggregation mode' }
  },
  'fold.feedback': {
    meaning: 'A cluster decided to blend its aggregate into its members.',
    fields: { ...actor, sessions: 'number of sessions', coupling }
  },
  'fold.blend': {
    meaning: "A session's state was pulled towards another vector.",
    fields: { deliveryId: 'id of the pull', coupling, turn }
  },
  'fold.transfer': {
    meaning: "A transfer added a part of another session to the session's state.",
    fields: { sourceSessionId: 'id of the other session', deltaNorm: 'length of the added vector', turn }
  },
  'fold.cluster_to_region': {
    meaning: 'A region began to compute the consensus of its clusters.',
    fields: { ...actor, clusters: 'number of attached clusters' }
  },
  'fold.region_to_cluster': {
    meaning: 'A region pulls its clusters towards the consensus, or a cluster was pulled.',
    fields: {
      ...actor,
      clusters: 'number of pulled clusters; in the event of the region',
      coupling: 'weight of the pull, 0 to 1; in the event of the cluster'
    }
  },
  'drift.noted': {
    meaning: 'A cluster recorded a drift of its session, and tells its regions.',
    fields: { ...actor, driftScore, driftPhase, regions: 'number of regions' }
  },
  'region.voted': {
    meaning: 'A region received the drift of a cluster.',
    fields: { ...actor, clusterId: 'id of the cluster', driftScore, isCounted: 'whether it counts as a vote' }
  },
  'region.realigned': {
    meaning: 'The votes of a region exceeded its threshold, and it realigns.',
    fields: { ...actor, clusters: 'number of attached clusters' }
  },
  'observer.sampled': {
    meaning: 'The observer sampled its clusters.',
    fields: {
      ...actor,
      clustersSampled: 'number of clusters',
      regionsSampled: 'number of regions',
      durationMs,
      newAnomalies: 'number of new anomalies'
    }
  },
  'observer.anomaly': {
    meaning: 'The observer recorded an anomaly.',
    fields: { ...actor, anomalyId: 'id of the anomaly', anomalyType: 'type of the anomaly', severity: 'severity, 0 to 1' }
  },
  'network.switched': {
    meaning: 'Another user partition became the active one.',
    fields: { ...actor, users: 'number of partitions' }
  },
  'network.decided': {
    meaning: 'The sessions voted on a consensus proposal.',
    fields: { ...actor, accepted: 'whether it was accepted', approval: 'approval weighted by trust, 0 to 1', votes: 'number of votes' }
  },
  'store.written': {
    meaning: 'A write of an actor became durable.',
    fields: {
      ...actor,
      rowsPut: 'number of rows written',
      rowsRemoved: 'number of rows removed',
      bytes: 'approximate bytes written',
      durationMs
    }
  },
  'actor.activating': { meaning: 'An actor is being read from storage, or created.', fields: actor },
  'actor.rehydrated': {
    meaning: 'An actor was restored from its stored record.',
    fields: { ...actor, size: 'number of memories of a session, or of rows of another actor', durationMs }
  },
  'actor.activated': { meaning: 'An actor is ready for commands.', fields: actor },
  'actor.passivating': { meaning: 'An idle actor is being removed from memory.', fields: actor },
  'actor.evicted': { meaning: 'An actor was removed from memory.', fields: actor },
  'actor.deleted': { meaning: 'An actor was deleted together with its record.', fields: actor },
  'actor.missed': { meaning: 'An actor has no stored record, and no waiting command may create one.', fields: actor },
  'actor.fenced': { meaning: 'Another activation took over the record of an actor.', fields: actor },
  'actor.failed': {
    meaning: 'An actor failed; its next command restarts it from storage.',
    fields: { ...actor, code: 'error code if it is an expected refusal, else `failure`' }
  },
  'actor.restart_limited': { meaning: 'An actor failed too often, and is not restarted for a while.', fields: actor },
  'supervisor.started': { meaning: 'A supervisor started to manage its kind of actors.', fields: { supervisor: 'kind of its actors' } },
  'nodes.changed': {
    meaning: 'A node joined, left or changed its state, as seen by this node.',
    fields: {
      node: 'id of this node',
      state: 'state of this node',
      known: 'number of nodes that it hears from, including itself',
      placeable: 'number of nodes that own actors',
      view: 'hash of the nodes that own actors; nodes with the same hash agree on every owner'
    }
  },
  'supervisor.ended': {
    meaning: 'Actors of one kind failed too often: their supervisor gave up, and is restarted.',
    fields: { supervisor: 'kind of its actors' }
  }
} as const satisfies Readonly<Record<string, DebugEventEntry>>

export type DebugEventKind = keyof typeof DEBUG_EVENTS
