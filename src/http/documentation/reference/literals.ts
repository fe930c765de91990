/** The literal cache. */
import { type Reference, SESSION_MISSING, TIMESTAMP } from './entry.js'

const ENTITY = {
  key: 'src/mail/totp.ts#verify',
  kind: 'signature',
  value: 'export function verify(secret: string, code: string): boolean',
  context: null,
  importance: 1,
  access_count: 0,
  timestamp: TIMESTAMP,
  size: 61
}

export const LITERALS: Reference = {
  'POST /v1/session/{session_id}/entities': {
    description:
      'Keeps a piece of code under a key, and gives it back byte for byte. Entities that match the message of a run follow in its ' +
      'context under `Verbatim:`.',
    refusals: { 400: 'Unknown `kind`.', 404: SESSION_MISSING, 409: 'The session has as many entities, or bytes, as it can hold.' },
    request: { name: 'EntityRequest', example: { key: ENTITY.key, kind: ENTITY.kind, value: ENTITY.value } },
    answer: { name: 'StoredEntity', example: { session_id: 'anna', ...ENTITY } }
  },
  'GET /v1/session/{session_id}/entities': {
    description:
      'The entities whose key or value has words of the query, best first; with an empty query all of them. `total` counts those ' +
      'that match, listed or not.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'Entities', example: { session_id: 'anna', entities: [ENTITY], total: 1 } }
  },
  'DELETE /v1/session/{session_id}/entities/{key}': {
    description: 'Removes the entity of that key. The key is the rest of the path, and may hold slashes.',
    refusals: { 404: 'The caller has no such session, or the session no such entity; `detail` says which.' },
    answer: { name: 'RemoveEntityResponse', example: { session_id: 'anna', key: ENTITY.key, removed: true } }
  }
}
