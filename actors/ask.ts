/** The one way to an actor, wherever it lives: a request over the bus with a deadline. */
import { toDomainError, topicOf, type AskAnswer, type AskEnvelope } from './envelope.js'
import type { ActorCommand } from './delivery.js'
import type { Address } from '../src/domain/address.js'
import type { ReplyTo, SessionCommand } from '../src/domain/session-commands.js'
import type { Bus, Ids } from '../src/ports.js'

export interface AskOptions {
  /** Milliseconds, above 0. Afterwards the ask rejects with `deadline_passed`, and whether the command ran is unknown. */
  readonly deadlineMs: number
  /** Names the request in the actor's record and in logs; default: a new UUID. */
  readonly requestId?: string
}

/** Rejects with a DomainError only. */
export type Ask = <C extends SessionCommand>(address: Address, command: C, options: AskOptions) => Promise<ReplyTo<C>>

/** The untyped form, for behaviours of any kind. */
export type AskActor = (address: Address, command: ActorCommand, options: AskOptions) => Promise<unknown>

/** Asks sessions. */
export function createAsk(ports: { bus: Bus; ids: Ids }): Ask {
  const askActor = createAskActor(ports)
  return <C extends SessionCommand>(address: Address, command: C, options: AskOptions) =>
    askActor(address, command, options) as Promise<ReplyTo<C>>
}

/** Asks actors of any kind. The caller knows what its behaviour replies. */
export function createAskActor({ bus, ids }: { bus: Bus; ids: Ids }): AskActor {
  return async (address, command, { deadlineMs, requestId = ids.uuid() }) => {
    const envelope: AskEnvelope = { address, command, requestId, deadlineMs }
    const answer = (await bus.request(topicOf(address.kind), envelope, { deadlineMs })) as AskAnswer
    if ('refusal' in answer) throw toDomainError(answer.refusal)
    return answer.reply
  }
}
