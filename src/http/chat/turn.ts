/** Runs the question of a chat, and sees to it that nothing goes on to the model past the session's isolation. */
import { isDomainError } from '../../domain/errors.js'
import { isClosedLevel } from '../../domain/isolation.js'
import type { IsolationLevel } from '../../domain/session.js'
import type { Ids } from '../../ports.js'
import { given } from '../contract/given.js'
import type { AskSession, Caller } from '../contract/resource-ask.js'
import { heldBack, inputsOf } from './inputs.js'
import type { ChatBody } from './request.js'

/** What is known of a chat by the time its answer comes. */
export interface Turn {
  readonly sessionId: string
  /** Null: nothing was run, so there is nothing that an answer would belong to. */
  readonly question: string | null
  readonly userId: string | undefined
}

export interface RunTurn {
  /** The context block, which with no hit is its first line alone; null where retrieval failed, or nothing was run. */
  readonly context: string | null
  /** True: every text of the body was checked. Only what was read may go on then, not the characters as they came. */
  readonly isChecked: boolean
}

/** Whose request it is, and what it says. */
type ChatCaller = Caller & { readonly body: ChatBody }

interface Options {
  readonly askSession: AskSession
  readonly ids: Ids
}

/** Throws ChatProblem `content_filter` for a body of which the session's isolation holds anything back. */
export async function runTurn(options: Options, caller: ChatCaller, turn: Turn): Promise<RunTurn> {
  const { level, context } = await askOrRead(options, caller, turn)
  if (!isClosedLevel(level)) return { context, isChecked: false }
  // Without a text there is nothing that the session could have let pass.
  if (turn.question === null) throw heldBack('messages')
  const inputs = inputsOf(caller.body)
  const { refused } = await options.askSession(another(options, caller), turn.sessionId, {
    type: 'isolation.screen',
    texts: inputs.map(({ text }) => text)
  })
  const [first] = refused
  if (first !== undefined) throw heldBack(inputs[first]?.param ?? 'messages')
  return { context, isChecked: true }
}

/** Runs the question; where there is none, only reads the level. */
async function askOrRead(
  options: Options,
  caller: ChatCaller,
  { sessionId, question, userId }: Turn
): Promise<{ level: IsolationLevel; context: string | null }> {
  if (question === null) return { level: await levelOf(options, caller, sessionId), context: null }
  const command = { type: 'session.run' as const, message: question, resetContext: false, ...given({ userId }) }
  const { context, isolation } = await options.askSession(caller, sessionId, command)
  // Interface, Isolation levels: such inputs are held back from the model.
  if (isolation.action === 'quarantined' || isolation.action === 'blocked') throw heldBack('messages')
  return { level: isolation.level, context: context === '' ? null : context }
}

/** Of a session that is not there, what it would begin with. */
async function levelOf({ askSession }: Options, caller: ChatCaller, sessionId: string): Promise<IsolationLevel> {
  try {
    return (await askSession(caller, sessionId, { type: 'session.metrics' })).isolation.level
  } catch (error) {
    if (isDomainError(error) && error.code === 'session_missing') return 'OPEN'
    throw error
  }
}

/** Two commands with the same id would be taken for one that was sent twice. */
function another({ ids }: Options, { subject, trace = null }: ChatCaller): Caller {
  return { subject, id: ids.uuid(), trace }
}
