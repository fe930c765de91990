/** The one way to an actor, wherever it lives: a request over the bus with a deadline. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { toDomainError } from '../../src/domain/refusal.js'
import type { Bus, Ids } from '../../src/ports.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { type AskAnswer, type AskEnvelope, topicOf } from './envelope.js'

export interface AskOptions {
  /** Milliseconds, above 0. Afterwards the ask rejects with `deadline_passed`, and whether the command ran is unknown. */
  readonly deadlineMs: number
  /** Names the request in the actor's record and in logs; default: a new UUID. */
  readonly requestId?: string
  /**
   * Milliseconds since the first try of the request that may have run: it is then run only if it can be told that it was not. Default:
   * there was none.
   */
  readonly triedMs?: number
  /** True: it was asked before, and what it says tells its receiver whether it was done. */
  readonly isRepeated?: boolean
  /** W3C `traceparent` of the span that asks. Default: it is part of no trace. */
  readonly trace?: string
  /** See `Bus.request`. */
  readonly largeAnswer?: (bytes: number) => void
}

export interface AskPorts {
  readonly bus: Pick<Bus, 'request'>
  readonly ids: Ids
  /** True for those who ask in the course of work that was let in already: see `Admission.enter`. Default false. */
  readonly isInner?: boolean
}

/** Rejects with a DomainError only. */
export type Ask = <C extends Command>(address: Address, command: C, options: AskOptions) => Promise<ReplyOf<C>>

/** The untyped form, for behaviours of any kind. */
export type AskActor = (address: Address, command: ActorCommand, options: AskOptions) => Promise<unknown>

/** Asks actors of the service's own kinds. */
export function createAsk(ports: AskPorts): Ask {
  const askActor = createAskActor(ports)
  return <C extends Command>(address: Address, command: C, options: AskOptions) =>
    askActor(address, command, options) as Promise<ReplyOf<C>>
}

/** Asks actors of any kind. The caller knows what its behaviour replies. */
export function createAskActor({ bus, ids, isInner = false }: AskPorts): AskActor {
  return async (address, command, { deadlineMs, requestId = ids.uuid(), triedMs, isRepeated, trace, largeAnswer }) => {
    const tried = { ...(triedMs !== undefined && { triedMs }), ...(isRepeated === true && { isRepeated }) }
    const envelope: AskEnvelope = { address, command, requestId, deadlineMs, isInner, ...tried, ...(trace !== undefined && { trace }) }
    const answer = (await bus.request(topicOf(address.kind), envelope, {
      deadlineMs,
      ...(largeAnswer !== undefined && { largeAnswer })
    })) as AskAnswer
    if ('refusal' in answer) throw toDomainError(answer.refusal)
    return answer.reply
  }
}
