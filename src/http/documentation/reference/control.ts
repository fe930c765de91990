/** Operations that steer, move and verify a session. */
import { CHECKSUM, MEMORY_HASH, MEMORY_ID, type Reference, SESSION_FULL, SESSION_MISSING } from './entry.js'

const STATE_DICT = { format: 'engram-session', version: 1, checksum: CHECKSUM }

export const CONTROL: Reference = {
  'POST /v1/session/{session_id}/trigger': {
    description:
      'Sets a trigger: a keyword or an embedding that is looked for in every input. When it fires, the turn gains importance. Give exactly one of `keyword` and `embedding`.',
    refusals: { 404: SESSION_MISSING, 409: 'The session has the maximum number of triggers, or is full by bytes.' },
    request: { name: 'TriggerRequest', example: { keyword: 'deadline' } },
    answer: { name: 'TriggerResponse', example: { session_id: 'anna', trigger_count: 1 } }
  },
  'DELETE /v1/session/{session_id}/trigger': {
    description: 'Removes all triggers of the session. Their effect on earlier turns stays.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'TriggerResponse', example: { session_id: 'anna', trigger_count: 0 } }
  },
  'POST /v1/session/{session_id}/anchor': {
    description:
      'Sets an anchor: a direction that the session should keep to. All anchors together are the domain that isolation compares inputs with. ' +
      'Give exactly one of `text` and `embedding`.',
    refusals: { 404: SESSION_MISSING, 409: 'The session has the maximum number of anchors, or is full by bytes.' },
    request: { name: 'AnchorRequest', example: { text: 'Security of mail accounts: passwords, two-step verification, recovery.' } },
    answer: { name: 'AnchorResponse', example: { session_id: 'anna', anchor_count: 1 } }
  },
  'GET /v1/session/{session_id}/anchor_score': {
    description:
      'The similarity of the semantic state to the nearest anchor, and the number of turns for which the state is still pulled back towards the anchors.',
    refusals: { 404: SESSION_MISSING },
    answer: {
      name: 'AnchorScore',
      example: { session_id: 'anna', anchor_score: 0.61, anchor_count: 1, drift_threshold: 0.5, realignment_remaining: 0 }
    }
  },
  'PUT /v1/session/{session_id}/isolation': {
    description:
      'Sets the isolation level. `OPEN` lets everything pass. `FILTER` lowers the weight of inputs that are off the domain. `QUARANTINE` holds them back until they are released. ' +
      '`LOCKDOWN` lets only inputs pass that the anchors or the allowlist cover. The lists replace those of the last call.',
    refusals: { 404: SESSION_MISSING, 409: 'The session would exceed its maximum bytes.' },
    request: { name: 'IsolationRequest', example: { level: 'QUARANTINE', similarity_threshold: 0.7 } },
    answer: {
      name: 'IsolationResponse',
      example: {
        session_id: 'anna',
        level: 'QUARANTINE',
        similarity_threshold: 0.7,
        exclusion_count: 0,
        allowlist_count: 0,
        quarantined_count: 0
      }
    }
  },
  'POST /v1/session/{session_id}/isolation/release': {
    description: 'Takes the inputs that were held back into memory, in the order in which they came. The isolation level stays.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    answer: { name: 'ReleaseResponse', example: { session_id: 'anna', released_count: 0, level: 'QUARANTINE' } }
  },
  'POST /v1/session/{session_id}/memory': {
    description: 'Adds a memory to the session as if it had been learned, without a turn. Without `embedding` the service embeds the text.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    request: { name: 'InjectMemoryRequest', example: { text: 'Anna prefers short answers.', tier: 'long_term', importance: 2 } },
    answer: {
      name: 'InjectMemoryResponse',
      example: { session_id: 'anna', tier: 'long_term', total_memories: 3, memory_id: MEMORY_ID, memory_hash: MEMORY_HASH }
    }
  },
  'GET /v1/session/{session_id}/export': {
    description: 'The whole state of the session, to be kept elsewhere and imported again. The answer is streamed.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'SessionExport', example: { session_id: 'anna', state_dict: STATE_DICT, checksum: CHECKSUM } }
  },
  'POST /v1/session/{session_id}/import': {
    description:
      'Replaces the session by an export, or makes it; all or nothing. The body is `{state_dict}` or the whole answer of the export. ' +
      'The export has to come from the embedding model that is in use here. Its maximum size is `SERVICE_IMPORT_LIMIT_BYTES`, by default 32 MiB.',
    refusals: {
      400: 'The export is malformed, its version is unknown, its checksum does not match, it comes from another model, or its dimension is not that of the existing session. The session is unchanged.',
      409: SESSION_FULL
    },
    request: { name: 'ImportRequest', example: { state_dict: STATE_DICT } },
    answer: { name: 'ImportResponse', example: { session_id: 'anna', imported: true, total_memories: 3, checksum: CHECKSUM } }
  },
  'POST /v1/session/{session_id}/verify': {
    description:
      'Compares how this session and a reference rank the same embeddings. The reference is another session or an export. Without either, ' +
      'it is a copy of this session, exported and restored. Changes nothing. Each embedding has as many numbers as the session has dimensions.',
    refusals: { 400: '`state_dict` is malformed.', 404: SESSION_MISSING },
    request: { name: 'VerifyRequest', example: { test_embeddings: [[0.6, 0, 0.8]], tolerance: 0.001 } },
    answer: { name: 'VerifyResponse', example: { session_id: 'colours', consistent: true, max_deviation: 0, tolerance: 0.001, checked: 1 } }
  }
}
