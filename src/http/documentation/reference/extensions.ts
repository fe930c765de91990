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
      'The sessions of the caller by id, in memory or stored, page by page: give `next` as `after` to get the next page. Does not count as use of ' +
      'them. With `contains` only sessions whose id contains it; a page may then be short or empty, and still have a next one.',
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
      'has the components of its score, and the answer has the time of each stage.',
    refusals: { 404: SESSION_MISSING },
    request: { name: 'SearchRequest', example: { query: 'How long should answers be?', top_k: 3, filter: { role: 'synthetic' } } },
    answer: { name: 'SearchResponse', example: { session_id: 'anna', results: [{ ...MEMORY, score: 0.71 }] } }
  },
  'GET /v1/session/{session_id}/memories': {
    description:
      'All memories of the session that match the filters, page by page, in the order in which the session got them, whatever their timestamps. Give `next` as `after` to get ' +
      'the next page; it is the id of the last memory of this page. To delete while reading, get the next page first.',
    refusals: { 404: 'The caller has no such session, or `after` is no longer a memory of it; `detail` says which.' },
    answer: { name: 'MemoryPage', example: { memories: [MEMORY], next: null } }
  },
  'POST /v1/session/{session_id}/memories': {
    description: 'Stores up to 1,000 memories, all or nothing. Sending the same batch again leaves the same state.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    request: { name: 'IngestRequest', example: { memories: [{ text: 'Anna works from Lisbon.', role: 'user' }] } },
    answer: {
      name: 'IngestResponse',
      example: { session_id: 'anna', stored: 1, updated: 0, memories: [{ memory_id: MEMORY_ID, memory_hash: MEMORY_HASH }] }
    }
  },
  'GET /v1/session/{session_id}/days': {
    description:
      'Counts for each of the last 31 days (UTC) on which the session had turns, oldest first. The saved tokens are an estimate: the service cannot ' +
      'know whether the caller skipped its language model. An export does not contain the days, and an erasure leaves these counts.',
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
      "Sums over the caller's sessions for each of the last 31 days (UTC) on which any had turns, oldest first. One answer adds up at most 1,000 sessions, " +
      'in the order of their ids. If there are more, give `next` as `after` to get the sums over the following ones, and add them. Does not count as use of the ' +
      'sessions. The counts of a deleted session go with it.',
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
      'Changes every memory of that text. Give `importance`, `pinned`, or both. A pinned memory does not expire, not even after it is unpinned. Its ' +
      'words are not replaced by a paraphrase. A context block shows it first, whatever is asked; pinned memories take up to half of the room for memories. A session ' +
      'pins at most 32 memories, with 16,384 bytes of text together. Repeating the request changes nothing.',
    refusals: {
      404: 'The caller has no such session, or the session no such memory; `detail` says which.',
      409: 'The session would exceed its maximum of pinned memories or bytes. Nothing has changed.'
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
