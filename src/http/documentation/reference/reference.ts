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
  key: { description: 'Key of the entity; may contain slashes.', example: 'src/mail/totp.ts#verify' },
  q: { description: 'Words to look for. Empty: every entity.', example: 'verify' },
  limit: { description: 'Maximum number of items in one answer.', example: 20 },
  max_sessions: { description: 'Maximum number of sessions that one answer adds up.', example: 1_000 },
  after: { description: 'Where to go on: `next` of the previous page.', example: 'anna' },
  contains: { description: 'Part of the id, ignoring case.', example: 'ann' },
  top_k: { description: 'Maximum number of memories.', example: 5 },
  full_first: { description: 'Whether the first memory is returned untruncated.', example: true },
  max_text_chars: { description: 'Maximum characters of each text; longer ones are truncated.', example: 500 },
  max_results: { description: 'Maximum number of entities.', example: 20 },
  role: { description: 'Who said the text.', example: 'user' },
  tier: { description: 'Tier of the memory: how far it was consolidated.', example: 'long_term' },
  since: { description: 'Earliest time, inclusive, in epoch seconds.', example: 1_777_885_200 },
  until: { description: 'Latest time, exclusive, in epoch seconds.', example: 1_777_971_600 },
  'x-session-id': { description: 'Session to use, unless the body names one.', example: 'anna' }
}
