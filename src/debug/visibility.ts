/** Decides which debug events may be shown. Interface, Authentication 9. */
import type { DebugEvent } from '../ports.js'

/** Maximum nesting of objects: a list of hits with the components of their scores takes three. */
const DEPTH_MAX = 4

/** Words that a system event may contain: the name of a part, a kind or a code. A sentence might quote a caller. */
const NAME = /^[\w.:-]{1,64}$/

/** Whether the event obeys the rules: a system event has only scalars and names no session; a subject's own event has no vector. */
export function isShowable({ subject, sessionId, data }: DebugEvent): boolean {
  if (subject !== null) return isPlain(data, 0)
  return sessionId === undefined && Object.values(data).every(isName)
}

function isName(value: unknown): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && NAME.test(value))
}

/** Plain data without typed arrays and without lists of numbers, since either may be a vector. */
function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object')
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
  if (depth === DEPTH_MAX) return false
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'number' && isPlain(item, depth + 1))
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every((item) => isPlain(item, depth + 1))
}
