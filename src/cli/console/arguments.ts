/** Checks of arguments before anything is sent. Failures have the name of the argument and exit code 2. */
import { SESSION_ID_LENGTH_MAX, SESSION_ID_PATTERN, TEXT_LENGTH_MAX, USER_ID_LENGTH_MAX } from '../../domain/limits.js'
import { isLongerThan } from '../../domain/text/characters.js'
import { usageFailure } from './failure.js'

/** `name`: the argument or option as the help writes it. Throws CommandFailure. */
export function requireSessionId(name: string, value: string): void {
  if (!SESSION_ID_PATTERN.test(value)) throw usageFailure(`${name} must be 1 to ${String(SESSION_ID_LENGTH_MAX)} letters, digits, _ and -.`)
}

/** Throws CommandFailure for a data subject that the service would refuse. */
export function requireUserId(name: string, value: string): void {
  requireLength(name, value, USER_ID_LENGTH_MAX)
}

/** Throws CommandFailure for a text that the service would refuse. */
export function requireQuery(name: string, value: string): void {
  requireLength(name, value, TEXT_LENGTH_MAX)
}

/** Throws CommandFailure unless the value is a whole number from 1 to `maximum`. */
export function requireCount(name: string, value: string, maximum: number): number {
  const count = /^\d+$/.test(value) ? Number(value) : 0
  if (count < 1 || count > maximum) throw usageFailure(`${name} must be a whole number from 1 to ${String(maximum)}.`)
  return count
}

function requireLength(name: string, value: string, maximum: number): void {
  if (value === '' || isLongerThan(value, maximum)) throw usageFailure(`${name} must have 1 to ${maximum.toLocaleString('en')} characters.`)
}
