/** Operations that steer, move and verify a session. */
import { CHECKSUM, MEMORY_HASH, MEMORY_ID, type Reference, SESSION_FULL, SESSION_MISSING } from './entry.js'

const STATE_DICT = { format: 'engram-session', version: 1, checksum: CHECKSUM }

export const CONTROL: Reference = {
  'POST /v1/session/{session_id}/trigger': {
    description:
      'A keyword or an embedding that is looked for in every input. A turn on which it fires gains importance. Give exactly one of `keyword` and `embedding`.',
    refusals: { 404: SESSION_MISSING, 409: 'The session has as many triggers as it can hold, or is full by bytes.' },
    request: { name: 'TriggerRequest', example: { keyword: 'deadline' } },
    answer: { name: 'TriggerResponse', example: { session_id: 'anna', trigger_count: 1 } }
  },
  'DELETE /v1/session/{session_id}/trigger': {
    description: 'Removes every trigger of the session. What they did to earlier turns stays.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'TriggerResponse', example: { session_id: 'anna', trigger_count: 0 } }
  },
  'POST /v1/session/{session_id}/anchor': {
    description:
      'A direction that the session should keep to. All anchors together are the domain that isolation compares inputs with. ' +
      'Give exactly one of `text` and `embedding`.',
    refusals: { 404: SESSION_MISSING, 409: 'The session has as many anchors as it can hold, or is full by bytes.' },
    request: { name: 'AnchorRequest', example: { text: 'Security of mail accounts: passwords, two-step verification, recovery.' } },
    answer: { name: 'AnchorResponse', example: { session_id: 'anna', anchor_count: 1 } }
  },
  'GET /v1/session/{session_id}/anchor_score': {
    description: 'The similarity of the semantic state to the anchors, and for how many turns it is still pulled back towards them.',
    refusals: { 404: SESSION_MISSING },
    answer: {
      name: 'AnchorScore',
      example: { session_id: 'anna', anchor_score: 0.61, anchor_count: 1, drift_threshold: 0.5, realignment_remaining: 0 }
    }
  },
  'PUT /v1/session/{session_id}/isolation': {
    description:
      '`OPEN` lets everything pass. `FILTER` lowers the weight of inputs that are off the domain. `QUARANTINE` holds them back until they are released. ' +
      '`LOCKDOWN` lets nothing pass but what the anchors or the allowlist cover. The lists replace those of the last call.',
    refusals: { 404: SESSION_MISSING, 409: 'The session would be over its budget of bytes.' },
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
    description: 'Takes the inputs that were held back into memory, in the order in which they came. The level stays.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    answer: { name: 'ReleaseResponse', example: { session_id: 'anna', released_count: 0, level: 'QUARANTINE' } }
  },
  'POST /v1/session/{session_id}/memory': {
    description: 'Puts a memory into the session as if it had been learned, without a turn. Without `embedding` the text is embedded here.',
    refusals: { 404: SESSION_MISSING, 409: SESSION_FULL },
    request: { name: 'InjectMemoryRequest', example: { text: 'Anna prefers short answers.', tier: 'long_term', importance: 2 } },
    answer: {
      name: 'InjectMemoryResponse',
      example: { session_id: 'anna', tier: 'long_term', total_memories: 3, memory_id: MEMORY_ID, memory_hash: MEMORY_HASH }
    }
  },
  'GET /v1/session/{session_id}/export': {
    description: 'Everything that the session retains, to be kept elsewhere and imported again. Streamed.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'SessionExport', example: { session_id: 'anna', state_dict: STATE_DICT, checksum: CHECKSUM } }
  },
  'POST /v1/session/{session_id}/import': {
    description:
      'Takes `{state_dict}`, or a whole answer of the export. Replaces the session, or makes it; it is all or nothing. ' +
      'The export has to be of the embedding model that is in use here, and of `SERVICE_IMPORT_LIMIT_BYTES` at most, by default 32 MiB.',
    refusals: {
      400: 'Malformed, of an unknown version, another model or, where there is a session, another dimension, or its checksum does not match. The session is unchanged.',
      409: SESSION_FULL
    },
    request: { name: 'ImportRequest', example: { state_dict: STATE_DICT } },
    answer: { name: 'ImportResponse', example: { session_id: 'anna', imported: true, total_memories: 3, checksum: CHECKSUM } }
  },
  'POST /v1/session/{session_id}/verify': {
    description:
      'Compares how this session and a reference rank the same embeddings. The reference is another session, an export, or, without either, ' +
      'the export of this session restored aside. Changes nothing. Each embedding has as many numbers as the session has dimensions.',
    refusals: { 400: '`state_dict` is malformed.', 404: SESSION_MISSING },
    request: { name: 'VerifyRequest', example: { test_embeddings: [[0.6, 0, 0.8]], tolerance: 0.001 } },
    answer: { name: 'VerifyResponse', example: { session_id: 'colours', consistent: true, max_deviation: 0, tolerance: 0.001, checked: 1 } }
  }
}
