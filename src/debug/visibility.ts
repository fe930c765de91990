/** Which debug events are fit to be seen. Interface, Authentication 9. */
import type { DebugEvent } from '../ports.js'

/** Objects within objects: a list of hits with the parts of their scores takes three. */
const DEPTH_MAX = 4

/** What a system event may say in words: the name of a part, a kind or a code. A sentence may quote a caller. */
const NAME = /^[\w.:-]{1,64}$/

/** Whether the event keeps the rules: nobody's has scalars only and names no session, a subject's own has no vector. */
export function isShowable({ subject, sessionId, data }: DebugEvent): boolean {
  if (subject !== null) return isPlain(data, 0)
  return sessionId === undefined && Object.values(data).every(isName)
}

function isName(value: unknown): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && NAME.test(value))
}

/** Plain data without a typed array, and without a list that has numbers in it: either may be a vector. */
function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object')
    return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
  if (depth === DEPTH_MAX) return false
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'number' && isPlain(item, depth + 1))
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every((item) => isPlain(item, depth + 1))
}
