/** The reference of every operation in the schema. */
import { CLUSTERS } from './clusters.js'
import { CONTROL } from './control.js'
import type { Reference } from './entry.js'
import { EXTENSIONS } from './extensions.js'
import { LITERALS } from './literals.js'
import { NETWORK } from './network.js'
import { OBSERVER } from './observer.js'
import { OPERATIONS } from './operations.js'
import { PROXY } from './proxy.js'
import { REGIONS } from './regions.js'
import { SESSIONS } from './sessions.js'

export const REFERENCE: Reference = {
  ...OPERATIONS,
  ...SESSIONS,
  ...CONTROL,
  ...LITERALS,
  ...CLUSTERS,
  ...REGIONS,
  ...OBSERVER,
  ...NETWORK,
  ...PROXY,
  ...EXTENSIONS
}

/** Descriptions of parameters, which have the same meaning wherever they occur. */
export const PARAMETERS: Readonly<Record<string, { readonly description: string; readonly example: unknown }>> = {
  session_id: { description: 'Id of a session of the caller.', example: 'anna' },
  cluster_id: { description: 'Id of a cluster of the caller.', example: 'support' },
  region_id: { description: 'Id of a region of the caller.', example: '7b0e4d62-93c5-4f0a-8a1d-2c6f5e9b3d17' },
  user_id: { description: 'A data subject: the person for whom the memories were written.', example: 'maria' },
  memory_hash: { description: 'First 32 hexadecimal digits of the SHA-256 of the text.', example: '0d1c6a3c1f1e9a7c0b6a1f2d3e4c5b6a' },
  key: { description: 'Key of the entity; may hold slashes.', example: 'src/mail/totp.ts#verify' },
  q: { description: 'Words to look for; empty: everything.', example: 'verify' },
  limit: { description: 'Items of one answer at most.', example: 20 },
  max_sessions: { description: 'Sessions that one answer adds up at most.', example: 1_000 },
  after: { description: 'Where the page before ended: its `next`.', example: 'anna' },
  contains: { description: 'A part of the id, in capitals or not.', example: 'ann' },
  top_k: { description: 'Memories at most.', example: 5 },
  full_first: { description: 'Whether the first memory comes untruncated.', example: true },
  max_text_chars: { description: 'Characters of each text at most.', example: 500 },
  max_results: { description: 'Entities at most.', example: 20 },
  role: { description: 'Who said it.', example: 'user' },
  tier: { description: 'How far it was consolidated.', example: 'long_term' },
  since: { description: 'Epoch seconds, included.', example: 1_777_885_200 },
  until: { description: 'Epoch seconds, excluded.', example: 1_777_971_600 },
  'x-session-id': { description: 'The session, unless the body names one.', example: 'anna' }
}
