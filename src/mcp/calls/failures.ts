/** What a model is told when the service refuses: the service's own words, and what to do next. */
import type { Problem } from '../../client/engram-error.js'
import { detailIn, problemsIn } from '../../client/refusals.js'
import { toFieldPath } from '../../http/contract/problem.js'
import type { ServiceAnswer, ServiceRequest, ToolContext } from './service.js'

/** A refusal by the service. The message is written for a model. */
export class CallFailure extends Error {
  /** HTTP status; 0 if the service was not reached. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'CallFailure'
    this.status = status
  }
}

const NEXT: Readonly<Record<number, string>> = {
  0: 'Tell the user that the memory service is not running or not reachable; go on without memory.',
  400: 'Change the arguments; the same call would be refused again.',
  401: "Do not retry: the licence token in the client's configuration is missing or not valid. Tell the user.",
  402: 'Do not retry: the licence has expired and has to be renewed. Tell the user.',
  403: 'Do not retry: the service is not meant to be called from here. Tell the user.',
  404: 'What was asked for does not exist.',
  409: 'Nothing was changed. Where the session is full, forget what is not needed or use another session.',
  413: 'Send less: shorter texts, or fewer of them in a call.',
  422: 'Correct the argument that is named, then call again.',
  429: 'Wait 60 seconds before the next call.',
  503: 'The service is busy: wait a second, then call again, at most three times.',
  504: 'The service took too long: call again once.'
}

const NEXT_OTHERWISE = 'Tell the user that the memory service failed; go on without memory.'

/** Advice on a conflict, by what the service's message says. */
const NEXT_CONFLICT: readonly (readonly [RegExp, string])[] = [[/already exists/i, 'Nothing was changed: use it as it is.']]

/** Advice on a missing resource, by what the service's message says. */
const NEXT_MISSING: readonly (readonly [RegExp, string])[] = [
  [/^session/i, 'Call list_sessions to see which sessions exist; remember and recall make a session that is missing.'],
  [/^memory/i, 'It may be forgotten already: call search or list_memories for the hashes that exist.']
]

/** Returns the body of a successful answer, of which the interface guarantees the type `Body`. Throws CallFailure. */
export async function ask<Body>({ call, signal }: Pick<ToolContext, 'call' | 'signal'>, request: ServiceRequest): Promise<Body> {
  const answer = await call(request, signal)
  if (answer.status >= 200 && answer.status < 300) return answer.body as Body
  throw toFailure(answer)
}

export function toFailure({ status, body }: ServiceAnswer): CallFailure {
  const detail = detailOf(body)
  return new CallFailure(status, `${detail}. ${nextOf(status, detail)}`)
}

export function isMissing(error: unknown): error is CallFailure {
  return error instanceof CallFailure && error.status === 404
}

function nextOf(status: number, detail: string): string {
  const [, next] = (status === 409 ? NEXT_CONFLICT : status === 404 ? NEXT_MISSING : []).find(([pattern]) => pattern.test(detail)) ?? []
  return next ?? NEXT[status] ?? NEXT_OTHERWISE
}

/** One line, without a final full stop. */
function detailOf(body: unknown): string {
  const problems = problemsIn(body)
  if (problems.length > 0) return problems.map(wordsOf).join('; ')
  return detailIn(body)?.replace(/\.$/, '') ?? 'The memory service gave no reason'
}

function wordsOf({ loc, msg }: Problem): string {
  const path = toFieldPath(loc.slice(1))
  return path === '' ? msg : `${path}: ${msg}`
}
