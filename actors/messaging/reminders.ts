/** Activates, after a start or a change among the nodes, the actors of this node that have something undelivered or work by the clock. */
import type { Address } from '../../src/domain/address.js'
import { isDomainError } from '../../src/domain/errors.js'
import type { ActorStorage, Clock, Logger } from '../../src/ports.js'
import type { AskActor } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import { pause } from '../asking/time-limit.js'
import type { SettleMessages } from './relay.js'

/** Changes nothing, and needs the actor to be there. */
const WAKE: SettleMessages = { type: 'outbox.settle', ids: [] }

/** Actors woken at the same time: a quarter of the activations that may run, so that requests find room. */
const WAKING_MAX = 8

/** Addresses read at a time. */
const PAGE = 200

/** Milliseconds for one activation, and between two tries of a storage that does not answer. */
const WAKE_MS_MAX = 30_000
const RETRY_MS = 5_000

export interface WakeOptions {
  readonly storage: Pick<ActorStorage, 'reminders'>
  readonly ask: AskActor
  readonly clock: Clock
  readonly logger: Logger
  /** Whether this node is the one to run an actor; default: it runs all. */
  readonly owns?: (address: Address) => boolean
  /** True: stop. */
  readonly isStopped: () => boolean
}

/** Milliseconds that a node which leaves takes to hand over what only it has: a third of what orchestrators grant for an end. */
const HAND_OVER_MS_MAX = 10_000

/** Has other nodes activate actors whose records only this node has, which hands them over. Never rejects: what is left is lost with it. */
export async function handOver(addresses: readonly Address[], { ask, clock }: Pick<WakeOptions, 'ask' | 'clock'>): Promise<void> {
  const endsAtMs = clock.monotonicMs() + HAND_OVER_MS_MAX
  await fanOut(addresses, clock, async (address) => {
    const leftMs = endsAtMs - clock.monotonicMs()
    if (leftMs > 0) await ask(address, WAKE, { deadlineMs: leftMs }).catch(() => undefined)
  })
}

/** Walks all of them once. Never rejects: what cannot be woken now is woken by its next use. */
export async function wakeActors(options: WakeOptions): Promise<void> {
  const { storage, ask, clock, logger, isStopped, owns = () => true } = options
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
