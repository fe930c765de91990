/** Asking an actor, on whichever node it lives: a request over the bus with a deadline. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { toDomainError } from '../../src/domain/refusal.js'
import type { Bus, Ids } from '../../src/ports.js'
import type { RequestMeta } from '../behaviour/behaviour.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { type AskAnswer, type AskEnvelope, topicOf } from './envelope.js'

/** `requestId` identifies the request in the actor's record and in logs; by default it is a new UUID. */
export interface AskOptions extends Partial<Omit<RequestMeta, 'now'>> {
  /** Milliseconds, above 0. After that the ask rejects with `deadline_passed`, and it is unknown whether the command ran. */
  readonly deadlineMs: number
  /** See `Bus.request`. */
  readonly largeAnswer?: ((bytes: number) => void) | undefined
}

interface AskPorts {
  readonly bus: Pick<Bus, 'request'>
  readonly ids: Ids
  /** True for asks in the course of work that was admitted already: see `Admission.enter`. Default: false. */
  readonly isInner?: boolean
}

/** Rejects with a DomainError only. */
export type Ask = <C extends Command>(address: Address, command: C, options: AskOptions) => Promise<ReplyOf<C>>

/** Untyped form of `Ask`, for actors of any kind. */
export type AskActor = (address: Address, command: ActorCommand, options: AskOptions) => Promise<unknown>

/** Creates the typed `Ask`, for the service's own commands. */
export function createAsk(ports: AskPorts): Ask {
  const askActor = createAskActor(ports)
  return <C extends Command>(address: Address, command: C, options: AskOptions) =>
    askActor(address, command, options) as Promise<ReplyOf<C>>
}

/** Creates the untyped `AskActor`. The caller knows the type of the reply. */
export function createAskActor({ bus, ids, isInner = false }: AskPorts): AskActor {
  return async (address, command, { deadlineMs, requestId = ids.uuid(), triedMs, isRepeated, trace, largeAnswer }) => {
    const tried = { ...(triedMs !== undefined && { triedMs }), ...(isRepeated === true && { isRepeated }) }
    const envelope: AskEnvelope = { address, command, requestId, deadlineMs, isInner, ...tried, ...(trace !== undefined && { trace }) }
    const answer = (await bus.request(topicOf(address.kind), envelope, { deadlineMs, largeAnswer })) as AskAnswer
    if ('refusal' in answer) throw toDomainError(answer.refusal)
    return answer.reply
  }
}
