/** Activates this node's actors that have undelivered messages or work by the clock, after a start or a change among the nodes. */
import type { Address } from '../../src/domain/address.js'
import { isDomainError } from '../../src/domain/errors.js'
import type { ActorStorage, Clock, Logger } from '../../src/ports.js'
import type { AskActor } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { pause } from '../../src/time-limit.js'
import type { SettleMessages } from './relay.js'

/** Command that changes nothing and makes the runtime activate the actor. */
const WAKE: SettleMessages = { type: 'outbox.settle', ids: [] }

/** Upper bound on concurrent wake-ups: a quarter of the activations that may run, so that requests find room. */
const WAKING_MAX = 8

/** Addresses per page. */
const PAGE = 200

/** Milliseconds for one activation, and before the next try when storage does not answer. */
const WAKE_MS_MAX = 30_000
const RETRY_MS = 5_000

interface WakeOptions {
  readonly storage: Pick<ActorStorage, 'reminders'>
  readonly ask: AskActor
  readonly clock: Clock
  readonly logger: Logger
  /** Whether this node owns an actor. */
  readonly owns: (address: Address) => boolean
  /** True: stop. */
  readonly isStopped: () => boolean
}

/** Milliseconds that a leaving node has to hand over the records that only it holds: a third of what orchestrators grant for a shutdown. */
const HAND_OVER_MS_MAX = 10_000

/**
 * Has other nodes activate actors whose records only this node holds: activation hands the records over. Never rejects; records that are
 * left are lost with this node.
 */
export async function handOver(addresses: readonly Address[], { ask, clock }: Pick<WakeOptions, 'ask' | 'clock'>): Promise<void> {
  const endsAtMs = clock.monotonicMs() + HAND_OVER_MS_MAX
  await fanOut(addresses, clock, async (address) => {
    const leftMs = endsAtMs - clock.monotonicMs()
    if (leftMs > 0) await ask(address, WAKE, { deadlineMs: leftMs }).catch(() => undefined)
  })
}

/** Wakes all of them once. Never rejects: an actor that cannot be woken now is activated by its next use. */
export async function wakeActors(options: WakeOptions): Promise<void> {
  const { storage, ask, clock, logger, isStopped, owns } = options
  for (let after: string | null | undefined; after !== null && !isStopped();) {
    try {
      const page: Awaited<ReturnType<ActorStorage['reminders']>> = await storage.reminders({
        limit: PAGE,
        ...(after !== undefined && { after })
      })
      const owned = page.addresses.filter(owns)
      for (let at = 0; at < owned.length && !isStopped(); at += WAKING_MAX) {
        const woken = owned.slice(at, at + WAKING_MAX).map((address) => ask(address, WAKE, { deadlineMs: WAKE_MS_MAX }))
        await Promise.allSettled(woken)
      }
      after = page.next
    } catch (error) {
      logger.warn({ code: isDomainError(error) ? error.code : 'unknown' }, 'Actors could not be woken, and it is tried again')
      await pause(clock, RETRY_MS)
    }
  }
}
