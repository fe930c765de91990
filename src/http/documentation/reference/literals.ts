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
      'Stores a piece of code under a key, to be returned byte for byte. Entities that match the message of a run are appended to its ' +
      'context under `Verbatim:`.',
    refusals: { 400: 'Unknown `kind`.', 404: SESSION_MISSING, 409: 'The session has the maximum number of entities, or of bytes.' },
    request: { name: 'EntityRequest', example: { key: ENTITY.key, kind: ENTITY.kind, value: ENTITY.value } },
    answer: { name: 'StoredEntity', example: { session_id: 'anna', ...ENTITY } }
  },
  'GET /v1/session/{session_id}/entities': {
    description:
      'The entities with words of the query in their key or value, best match first. An empty query returns all. `total` counts all ' +
      'matches, listed or not.',
    refusals: { 404: SESSION_MISSING },
    answer: { name: 'Entities', example: { session_id: 'anna', entities: [ENTITY], total: 1 } }
  },
  'DELETE /v1/session/{session_id}/entities/{key}': {
    description: 'Removes the entity of that key. The key is the rest of the path, and may contain slashes.',
    refusals: { 404: 'The caller has no such session, or the session no such entity; `detail` says which.' },
    answer: { name: 'RemoveEntityResponse', example: { session_id: 'anna', key: ENTITY.key, removed: true } }
  }
}
