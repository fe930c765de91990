/** Asks of an actor that coordinates others to actors of its subject. */
import type { Address } from '../../src/domain/address.js'
import type { Command, ReplyOf } from '../../src/domain/commands/commands.js'
import { deadlinePassed, type ErrorCode } from '../../src/domain/errors.js'
import type { Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX, FAILING, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import type { Room } from '../weight/room.js'

/** Context in which an actor asks others. */
export interface Asking {
  readonly ask: Ask
  readonly clock: Clock
  /** Address of the actor that asks. */
  readonly address: Address
  /** Aborts when nobody waits for the answers any more. Default: never. */
  readonly signal?: AbortSignal
}

/** The same while it prepares one command. */
export interface CommandAsking extends Asking {
  /** See `askingAnew`. */
  readonly askAnew: Ask
  /** Aborts at the command's deadline. */
  readonly signal: AbortSignal
  readonly room: Room
}

/** The same, but everything is asked anew. */
export function anew<A extends CommandAsking>(asking: A): A {
  return { ...asking, ask: asking.askAnew }
}

/** Whom to ask, among the subject's actors. */
export type Other = Pick<Address, 'id'> & { readonly kind: 'session' | 'cluster' | 'region' }

/** Asks another actor. Rejects with its refusal, or with `deadline_passed` once `signal` is aborted. */
export async function askOther<C extends Command>({ ask, address, signal }: Asking, other: Other, command: C): Promise<ReplyOf<C>> {
  if (signal?.aborted === true) throw deadlinePassed()
  return ask({ ...other, subject: address.subject }, command, { deadlineMs: ANSWER_MS_MAX })
}

/**
 * Asks an actor that may be gone. Resolves to null if it is, which `gone` is told, or if it fails for every caller, so that it does not
 * hold up the others. Rejects with any other refusal.
 */
export function askIfThere<C extends Command>(
  asking: Asking,
  other: Other,
  command: C,
  gone?: (id: string) => void
): Promise<ReplyOf<C> | null> {
  const missing: ErrorCode = `${other.kind}_missing`
  return unlessRefused(askOther(asking, other, command), [missing, ...FAILING], ({ code }) => {
    if (code === missing) gone?.(other.id)
  })
}
