/** Commands that are prepared and stepped where memory is not the matter. */
import type { PrepareMeta, RequestMeta } from '../../actors/behaviour/behaviour.js'
import type { Room } from '../../actors/weight/room.js'
import { WEIGHTLESS } from '../../src/domain/fairness/weight.js'

export const UNBOUNDED: Room = {
  hold: () => undefined,
  fits: () => true,
  take: () => true,
  admit: () => undefined,
  reserve: async () => undefined,
  of: () => WEIGHTLESS,
  replaced: WEIGHTLESS
}

/** `signal`: by default one that never aborts. */
export function unbounded(request: RequestMeta, signal = new AbortController().signal): PrepareMeta {
  return { signal, room: UNBOUNDED, ...request }
}
