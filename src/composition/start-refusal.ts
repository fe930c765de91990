/** Why a program does not start: which variable is at fault, and an exit code that says whether its value has to change. */
import { ConfigError } from '../config.js'
import { codeIn, isDomainError } from '../domain/errors.js'
import type { VariableName } from '../variables.js'

/** As sysexits.h has them: EX_CONFIG, EX_UNAVAILABLE, EX_SOFTWARE. */
export const EXIT_CONFIG = 78
const EXIT_UNAVAILABLE = 69
export const EXIT_FAILED = 70

/**
 * Codes of what was not there, or took nothing, at that moment: the same value may do at the next start. By the system and its name
 * service, PostgreSQL (classes 08, 53, 57), SQLite, Redis, MongoDB and NATS. Any other trouble is the value's.
 */
const PASSING =
  /^(ECONN\w+|ETIMEDOUT|EHOST\w+|ENET\w+|EPIPE|EAI_AGAIN|ENOTFOUND|EADDRINUSE|EMFILE|08...|53...|57...|SQLITE_(BUSY|FULL|IOERR|LOCKED)(_\w+)?|LOADING|OOM|MISCONF|Mongo(ServerSelection|Network)\w*|CONNECTION_\w+|TIMEOUT)$/

/** A value with which the program cannot start. The message names its variable, and holds neither the value nor what others say of it. */
export class StartError extends Error {
  readonly exitCode: typeof EXIT_CONFIG | typeof EXIT_UNAVAILABLE

  constructor(variable: VariableName, cause: unknown) {
    const code = codeOf(cause)
    super(`${variable} cannot be used: ${sentenceOf(cause)}${code === null ? '' : ` (${code})`}`, { cause })
    this.name = 'StartError'
    this.exitCode = code !== null && PASSING.test(code) ? EXIT_UNAVAILABLE : EXIT_CONFIG
  }
}

/** What `open` makes of the variable's value. Throws StartError when it fails. */
export async function openedBy<Opened>(variable: VariableName, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    throw new StartError(variable, error)
  }
}

/** The address to listen on is taken or not one of this machine, or the port needs rights that the process lacks. */
export function toListenError(error: unknown): StartError {
  const code = codeOf(error)
  // Of a server it may come with that server; of this machine itself it will not.
  if (code === 'ENOTFOUND') return new StartError('SERVICE_HOST', new Error('no address goes by this name'))
  const isPort = code === 'EADDRINUSE' || code === 'EACCES'
  return new StartError(isPort ? 'SERVICE_PORT' : 'SERVICE_HOST', new Error('this process cannot listen there', { cause: error }))
}

/** Of a program that ends because of this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode
  return error instanceof ConfigError ? EXIT_CONFIG : EXIT_FAILED
}

/** Libraries quote addresses and paths in their messages; sentences of this project quote nothing. */
function sentenceOf(error: unknown): string {
  const isOwn = isDomainError(error) || (error instanceof Error && error.name === 'Error' && !('code' in error))
  return isOwn ? error.message : 'its value does not do'
}

/** Code of the innermost cause that has one, if it is a word; null without. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const inner = codeOf(error.cause)
  if (inner !== null || isDomainError(error)) return inner
  const code = codeIn(error)
  return code !== undefined && /^\w+$/.test(code) ? code : null
}
