/** Sessions and their turns. */
import { ANSWER_GONE, MEMORY_HASH, MEMORY_ID, type Reference, SESSION_FULL, SESSION_MISSING, TIMESTAMP } from './entry.js'

const QUESTION = 'How do I enable 2FA for my mail account?'
const ANSWER = 'Settings, Security, Two-step verification, then choose an app.'

const EXCHANGE = {
  memory_hash: MEMORY_HASH,
  memory_id: MEMORY_ID,
  text: ANSWER,
  importance: 1,
  access_count: 1,
  timestamp: TIMESTAMP,
  tier: 'short_term',
  role: 'assistant',
  pinned: false
}

const RUN = {
  session_id: 'anna',
  context: `[Memory context | Phase: exploration | Turn 2 | 2 memories]\nRelevant context:\n  1. [0.87] Q: ${QUESTION} A: ${ANSWER}`,
  top_similarity: 0.97,
  short_circuit: true,
  drift_score: 0.04,
  drift_detected: false,
  drift_phase: 'stable',
  dedup_signal: { is_update: false, max_sim: 0.12, matched_id: null },
  retrieval_error: false,
  phase: 'exploration',
  turn: 2,
  isolation: { level: 'OPEN', action: 'passed', similarity: null }
}

const METRICS = {
  session_id: 'anna',
  phase: 'exploration',
  drift_phase: 'stable',
  drift_score: 0.04,
  drift_threshold: 0.5,
  interaction_count: 2,
  total_memories: 2,
  tiers: { short_term: 2, medium_term: 0, long_term: 0 },
  mean_similarity: 0.42,
  similarity_variance: 0.01,
  topic_switches: 0,
  short_circuits: 1,
  anchor_count: 0,
  anchor_score: null,
  trigger_count: 0,
  triggers: [],
  entity_count: 0,
  isolation: { level: 'OPEN', similarity_threshold: 0.7, quarantined_count: 0 },
  dimension: 384,
  model_name: 'lexical-hash-v1',
  use_cortex: false,
  enable_topic_switch: true,
  created_at: TIMESTAMP,
  last_active_at: TIMESTAMP + 60
}

export const SESSIONS: Reference = {
  'POST /v1/run': {
    description:
      'One turn. Stores `response`, which is the answer of your model to the previous message; looks up the memories that matter for `message`; and takes the ' +
      'message in. Place `context` into the prompt of your model. With `short_circuit` the context holds the earlier answer to the same question, so the ' +
      'model need not be called. An unknown `session_id` makes a session of that id; without `session_id` a session with a new id is made. ' +
      'Processed at least once: a request that is sent again counts as a further turn, unless it has an `idempotency_key`. Then it gets the same answer as ' +
      'before and changes nothing. Without `session_id` it then uses the session that the first request made.',
    refusals: { 409: `${SESSION_FULL} ${ANSWER_GONE}` },
    request: {
      name: 'RunRequest',
      example: { session_id: 'anna', response: ANSWER, message: 'How can I enable 2FA for my mail account?', idempotency_key: 'turn-2' }
    },
    answer: { name: 'RunResponse', example: RUN }
  },
  'POST /v1/store': {
    description:
      'Learns from an answer without a turn, and links it to the last message of the session. A text that the session already holds ' +
      'is updated in place. With an `idempotency_key` a request that is sent again changes nothing, and gets the same answer.',
    refusals: { 404: SESSION_MISSING, 409: `${SESSION_FULL} ${ANSWER_GONE}` },
    request: { name: 'StoreRequest', example: { session_id: 'anna', response: ANSWER, idempotency_key: 'answer-2' } },
    answer: {
      name: 'StoreResponse',
      example: {
        session_id: 'anna',
        memory_id: MEMORY_ID,
        memory_hash: MEMORY_HASH,
        dedup_signal: { is_update: false, max_sim: 0.12, matched_id: null }
      }
    }
  },
  'POST /v1/dedup-check': {
    description:
      'Tells whether storing the text would update a memory, and which one. Changes nothing, and does not count towards the rate limit.',
    refusals: { 404: SESSION_MISSING },
    request: { name: 'DedupCheckRequest', example: { session_id: 'anna', text: ANSWER } },
    answer: { name: 'DedupSignal', example: { is_update: true, max_sim: 1, matched_id: MEMORY_ID } }
  },
  'POST /v1/session/create': {
    description:
      'Makes a session with the given settings; a run makes one with the defaults. Embeddings in later requests to the session need ' +
      '`dimension` numbers.',
    refusals: { 409: 'The caller already has a session of that id, in memory or stored.' },
    request: { name: 'CreateSessionRequest', example: { session_id: 'ben', dimension: 384, enable_topic_switch: true } },
    answer: { name: 'CreateSessionResponse', example: { session_id: 'ben', created: true } }
  },
  'DELETE /v1/session/{session_id}': {
    description: 'Removes the session with everything in it, from memory and from storage.',
    refusals: { 404: SESSION_MISSING, 409: 'The session belongs to a cluster, a region or an observer: delete that instead.' },
    answer: { name: 'DeleteSessionResponse', example: { session_id: 'anna', deleted: true } }
  },
  'GET /v1/session/{session_id}/memories/{memory_hash}': {
    description: 'One memory with its whole text. `memory_hash` is the first 32 hexadecimal digits of the SHA-256 of the text.',
    refusals: { 404: 'The caller has no such session, or the session no such memory; `detail` says which.' },
    answer: { name: 'Memory', example: { ...EXCHANGE, user_id: null } }
  },
  'GET /v1/metrics/{session_id}': {
    description: 'A snapshot of the counters and measures of a session. A `session_id` in the query is ignored.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'SessionMetrics', example: METRICS }
  },
  'GET /v1/state/metrics': {
    description: 'The same snapshot of the session that the query names; without `session_id`, of the session that the caller used last.',
    refusals: { 404: 'The caller has no such session, or no session at all.' },
    answer: { name: 'SessionMetrics', example: METRICS }
  },
  'GET /v1/state/context': {
    description:
      'The memories nearest to the semantic state of the session, nearest first. Texts are truncated to `max_text_chars`; with ' +
      '`full_first` the first one is not.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'ContextItems', example: [{ ...EXCHANGE, truncated: false, relevance: 0.87 }] }
  }
}
