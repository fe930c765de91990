/** Why a program does not start: the variable at fault, and an exit code that says whether its value has to change. */
import { ConfigError } from '../config.js'
import { codeIn, isDomainError } from '../domain/errors.js'
import type { VariableName } from '../variables.js'

/** From sysexits.h: EX_CONFIG, EX_UNAVAILABLE, EX_SOFTWARE. */
export const EXIT_CONFIG = 78
const EXIT_UNAVAILABLE = 69
export const EXIT_FAILED = 70

/**
 * Codes of failures that may be transient: something was not there, or accepted nothing, so the same value may work at the next start.
 * Codes of the system and its name service, PostgreSQL (classes 08, 53, 57), SQLite, Redis, MongoDB and NATS. Any other failure is the
 * fault of the value.
 */
const TRANSIENT =
  /^(ECONN\w+|ETIMEDOUT|EHOST\w+|ENET\w+|EPIPE|EAI_AGAIN|ENOTFOUND|EADDRINUSE|EMFILE|08...|53...|57...|SQLITE_(BUSY|FULL|IOERR|LOCKED)(_\w+)?|LOADING|OOM|MISCONF|Mongo(ServerSelection|Network)\w*|CONNECTION_\w+|TIMEOUT)$/

/** What frequent codes of the system, of TLS, PostgreSQL and Redis say about the value. */
const MEANINGS: readonly (readonly [code: RegExp, meaning: string])[] = [
  [/^ECONNREFUSED$/, 'nobody listens at its address'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host is not known'],
  [/^(ETIMEDOUT|EHOST\w+|ENET\w+)$/, 'its address does not answer'],
  [/^(28\w{3}|WRONGPASS|NOAUTH)$/, 'its name or password is refused'],
  [/^3D000$/, 'there is no database of this name'],
  [/^(42501|3F000|NOPERM)$/, 'its user lacks a right'],
  [/^08P01$/, 'what answers is no server or pooler that it can work with'],
  [/CERT|^ERR_TLS/, 'the certificate of its server is not accepted']
]

/** A setting with which the program cannot start. The message names its variable, but neither the value nor any library's message. */
export class StartError extends Error {
  readonly exitCode: typeof EXIT_CONFIG | typeof EXIT_UNAVAILABLE

  constructor(variable: VariableName, cause: unknown) {
    const code = codeOf(cause)
    super(`${variable} cannot be used: ${sentenceOf(cause)}${code === null ? '' : explained(code)}`, { cause })
    this.name = 'StartError'
    this.exitCode = code !== null && TRANSIENT.test(code) ? EXIT_UNAVAILABLE : EXIT_CONFIG
  }
}

/** Returns the result of `open`. Throws StartError for `variable` when it fails. */
export async function openedBy<Opened>(variable: VariableName, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    throw new StartError(variable, error)
  }
}

/** Error for an address that is in use or not of this machine, or a port that needs privileges. */
export function toListenError(error: unknown): StartError {
  const code = codeOf(error)
  // For a remote server ENOTFOUND may be transient; for this machine's own address it is not.
  if (code === 'ENOTFOUND') return new StartError('SERVICE_HOST', new Error('no address goes by this name'))
  const isPort = code === 'EADDRINUSE' || code === 'EACCES'
  return new StartError(isPort ? 'SERVICE_PORT' : 'SERVICE_HOST', new Error('this process cannot listen there', { cause: error }))
}

/** Exit code of a program that ends because of this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode
  return error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILED
}

/** Libraries quote addresses and paths in their messages, so only this project's own messages are shown. */
function sentenceOf(error: unknown): string {
  const isOwn = isDomainError(error) || (error instanceof Error && error.name === 'Error' && !('code' in error))
  return isOwn ? error.message : 'its value does not work'
}

function explained(code: string): string {
  const [, meaning] = MEANINGS.find(([codes]) => codes.test(code)) ?? []
  return meaning === undefined ? ` (${code})` : `: ${meaning} (${code})`
}

/** Returns the code of the innermost cause that has one, if it is a single word; else null. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = codeOf(error.cause)
  if (inner !== null || isDomainError(error)) return inner
  const code = codeIn(error)
  return code !== undefined && /^\w+$/.test(code) ? code : null
}
