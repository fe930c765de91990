/** Additions beyond the interface. */
import { MEMORY_HASH, MEMORY_ID, type Reference, SESSION_FULL, SESSION_MISSING, TIMESTAMP } from './entry.js'

const MEMORY = {
  memory_hash: MEMORY_HASH,
  memory_id: MEMORY_ID,
  text: 'Anna prefers short answers.',
  importance: 2,
  access_count: 0,
  timestamp: TIMESTAMP,
  tier: 'long_term',
  role: 'synthetic',
  user_id: null,
  pinned: false
}

export const EXTENSIONS: Reference = {
  'GET /v1/sessions': {
    description:
      'The sessions of the caller by id, in memory or stored, page by page: `next` is the `after` of the next page. Counts as use of ' +
      'none of them. With `contains` only those whose id holds it; a page may then be short, or empty, and have a next one.',
    answer: {
      name: 'SessionPage',
      example: {
        sessions: [{ session_id: 'anna', state: 'active', model_name: 'lexical-hash-v1', total_memories: 3, last_active_at: TIMESTAMP }],
        next: null
      }
    }
  },
  'POST /v1/session/{session_id}/search': {
    description:
      'Searches by text or by embedding: give exactly one of `query` and `embedding`. Changes nothing, not even access counts. With `explain` each result ' +
      'says what its score is made of, and the answer how long each stage took.',
    refusals: { 404: SESSION_MISSING },
    request: { name: 'SearchRequest', example: { query: 'How long should answers be?', top_k: 3, filter: { role: 'synthetic' } } },
    answer: { name: 'SearchResponse', example: { session_id: 'anna', results: [{ ...MEMORY, score: 0.71 }] } }
  },
  'GET /v1/session/{session_id}/memories': {
    description:
      'All memories of the session that fit the filters, in the order in which it got them, whatever their timestamps, page by page: `next` is the `after` of the next ' +
      'page, and the id of the last memory of this one. Who deletes as they read asks for the next page first.',
    refusals: { 404: 'The caller has no such session, or `after` is no memory of it any more; `detail` says which.' },
    answer: { name: 'MemoryPage', example: { memories: [MEMORY], next: null } }
  },
  'POST /v1/session/{session_id}/memories': {
    description: 'Stores up to 1,000 memories, all or nothing. The same batch again leaves the same state.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    request: { name: 'IngestRequest', example: { memories: [{ text: 'Anna works from Lisbon.', role: 'user' }] } },
    answer: {
      name: 'IngestResponse',
      example: { session_id: 'anna', stored: 1, updated: 0, memories: [{ memory_id: MEMORY_ID, memory_hash: MEMORY_HASH }] }
    }
  },
  'GET /v1/session/{session_id}/days': {
    description:
      'What the session did on each of the last 31 days (UTC) on which it had turns, oldest first. The saved tokens are an estimate: the service cannot ' +
      'know whether the caller left its language model out. An export does not hold the days, and an erasure leaves these counts.',
    refusals: { 404: SESSION_MISSING },
    answer: {
      name: 'SessionDays',
      example: {
        session_id: 'anna',
        days: [{ date: '2026-03-02', turns: 14, drift_mean: 0.21, drift_max: 0.64, drifted_turns: 1, short_circuits: 3, saved_tokens: 912 }]
      }
    }
  },
  'GET /v1/days': {
    description:
      "What the caller's sessions did together on each of the last 31 days (UTC) on which any had turns, oldest first: the sums over up to 1,000 sessions, " +
      'by id. Where there are more, `next` is the `after` of the sums over those that follow, to be added to these. Counts as use of none. What a deleted ' +
      'session did goes with it.',
    answer: {
      name: 'SubjectDays',
      example: {
        days: [{ date: '2026-03-02', turns: 52, drifted_turns: 4, short_circuits: 9, saved_tokens: 2703 }],
        sessions: 7,
        next: null
      }
    }
  },
  'PATCH /v1/session/{session_id}/memories/{memory_hash}': {
    description:
      'Changes every memory of that text; give `importance`, `pinned`, or both. A pinned memory no longer expires, also once it is not pinned any more; its ' +
      'words are not replaced by a paraphrase; and a context block shows it first, whatever is asked, in up to half of what it has for memories. A session ' +
      'pins at most 32 memories, of 16,384 bytes of text together. Repeated, it changes nothing.',
    refusals: {
      404: 'The caller has no such session, or the session no such memory; `detail` says which.',
      409: 'More would be pinned than may be. Nothing has changed.'
    },
    request: { name: 'EditMemoryRequest', example: { importance: 2, pinned: true } },
    answer: { name: 'Memory', example: { ...MEMORY, pinned: true } }
  },
  'DELETE /v1/session/{session_id}/memories/{memory_hash}': {
    description: 'Removes a memory from every index and list, and from every vector that it was folded into.',
    refusals: { 404: 'The caller has no such session, or the session no such memory; `detail` says which.' },
    answer: { name: 'DeleteMemoryResponse', example: { session_id: 'anna', memory_hash: MEMORY_HASH, deleted: true } }
  }
}
