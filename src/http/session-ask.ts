/** The step that every session route shares: from path or body to an answer of the session. */
import type { FastifyRequest } from 'fastify'
import type { Address } from '../domain/address.js'
import { DomainError } from '../domain/errors.js'
import { SESSION_ID_PATTERN } from '../domain/limits.js'
import type { ReplyTo, SessionCommand } from '../domain/session-commands.js'
import type { Ask } from './contracts.js'

/** A client that waits longer has usually given up; every queue and retry behind us ends within it. */
const REQUEST_DEADLINE_MS = 30_000

/** Whose session it is, and the id that tells one request from another: never the same for two commands. */
export type Caller = Pick<FastifyRequest, 'subject' | 'id'>

export type AskSession = <Command extends SessionCommand>(
  caller: Caller,
  sessionId: string,
  command: Command
) => Promise<ReplyTo<Command>>

/** Asks the caller's own session. Throws DomainError `session_missing` for an id that no session can have. */
export function createAskSession(ask: Ask): AskSession {
  return (caller, sessionId, command) =>
    ask(sessionAddress(caller.subject, sessionId), command, { deadlineMs: REQUEST_DEADLINE_MS, requestId: caller.id })
}

function sessionAddress(subject: string, id: string): Address {
  if (!SESSION_ID_PATTERN.test(id)) throw new DomainError('session_missing', 'Session not found')
  return { kind: 'session', subject, id }
}

/** The entries that were given: without those that are undefined or null. */
export function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}
