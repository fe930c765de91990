/** Runs the question of a chat, and makes sure that nothing passes the session's isolation to the model. */
import { hasCode } from '../../domain/errors.js'
import { isClosedLevel } from '../../domain/similarity/isolation.js'
import type { IsolationLevel } from '../../domain/session.js'
import type { Ids } from '../../ports.js'
import type { RunFairlyFor } from '../contract/contracts.js'
import { given } from '../contract/given.js'
import type { AskSession, Caller } from '../contract/resource-ask.js'
import { heldBack, inputsOf } from './inputs.js'
import type { ChatBody } from './request.js'

/** What is known of a chat by the time its answer arrives. */
export interface Turn {
  readonly sessionId: string
  /** Null: nothing was run, so an answer would belong to nothing. */
  readonly question: string | null
  readonly userId: string | undefined
}

interface RunTurn {
  /** The context block, only its first line if nothing was found; null if retrieval failed or nothing was run. */
  readonly context: string | null
  /** True: every text of the body was checked. Then only the parsed body may be sent on, not the raw bytes. */
  readonly isChecked: boolean
}

/** The caller and the parsed request. */
export type ChatCaller = Caller & { readonly body: ChatBody }

export interface TurnOptions {
  readonly askSession: AskSession
  readonly ids: Ids
  readonly runFairlyFor: RunFairlyFor
}

/** Runs the question. Throws ChatProblem `content_filter` when the session's isolation withholds any part of the body. */
export async function runTurn(options: TurnOptions, caller: ChatCaller, turn: Turn): Promise<RunTurn> {
  const { level, context } = await askOrRead(options, caller, turn)
  if (!isClosedLevel(level)) return { context, isChecked: false }
  // Without a question there is no text that the session could approve.
  if (turn.question === null) throw heldBack('messages')
  const inputs = await options.runFairlyFor(caller.subject)(inputsOf(caller.body))
  const { refused } = await options.askSession(another(options, caller), turn.sessionId, {
    type: 'isolation.screen',
    texts: inputs.map(({ text }) => text)
  })
  const [first] = refused
  if (first !== undefined) throw heldBack(inputs[first]?.param ?? 'messages')
  return { context, isChecked: true }
}

/** Runs the question; without one, only reads the isolation level. */
async function askOrRead(
  options: TurnOptions,
  caller: ChatCaller,
  { sessionId, question, userId }: Turn
): Promise<{ level: IsolationLevel; context: string | null }> {
  if (question === null) return { level: await levelOf(options, caller, sessionId), context: null }
  const command = { type: 'session.run' as const, message: question, resetContext: false, ...given({ userId }) }
  const { context, isolation } = await options.askSession(caller, sessionId, command)
  // Interface, Isolation levels: such inputs are withheld from the model.
  if (isolation.action === 'quarantined' || isolation.action === 'blocked') throw heldBack('messages')
  return { level: isolation.level, context: context === '' ? null : context }
}

/** Isolation level of the session; of one that does not exist, the initial level. */
async function levelOf({ askSession }: TurnOptions, caller: ChatCaller, sessionId: string): Promise<IsolationLevel> {
  try {
    return (await askSession(caller, sessionId, { type: 'session.metrics' })).isolation.level
  } catch (error) {
    if (hasCode(error, 'session_missing')) return 'OPEN'
    throw error
  }
}

/** A new id: two commands with the same id would be taken for a repetition. */
function another({ ids }: TurnOptions, { subject, trace }: ChatCaller): Caller {
  return { subject, id: ids.uuid(), trace }
}
