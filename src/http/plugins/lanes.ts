/** Requests take turns by subject before anything of their bodies is read: what a subject has too much of waits, and nobody else does. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Processor } from '../../../actors/scheduling/processor.js'
import { createSemaphore, type Semaphore } from '../../../actors/scheduling/semaphore.js'
import { OPERATIONS_IN_FLIGHT_MAX, SUBJECT_OPERATIONS_MAX, UPSTREAM_CALLS_MAX } from '../../domain/limits.js'
import type { Cancel, Clock } from '../../ports.js'
import type { Http, Lane } from '../contract/contracts.js'

/**
 * Milliseconds that a request waits for its turn: with the 30 s of its work behind it, well under the minute in which most clients and
 * balancers give up.
 */
const WAIT_MS_MAX = 10_000

/** Share of the model service's calls that one subject may have, whatever is configured. */
const SUBJECT_CALLS_SHARE = 3 / 4

/** By what a request is for: long answers of the model service keep no command waiting, nor do checks, which the rate limit does not count. */
export type Lanes = Readonly<Record<Lane, Semaphore>>

/** `subjectConcurrency` are the commands of one subject under way at once, and as many streams; checks are half as many. */
export function createLanes({ clock, subjectConcurrency }: { readonly clock: Clock; readonly subjectConcurrency: number }): Lanes {
  const operationsMax = Math.min(subjectConcurrency, SUBJECT_OPERATIONS_MAX)
  const full = 'Too many requests of this licence wait to be answered'
  return {
    commands: createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: operationsMax, full }),
    checks: createSemaphore({ clock, permitsMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax: Math.ceil(operationsMax / 2), full }),
    streams: createSemaphore({
      clock,
      permitsMax: UPSTREAM_CALLS_MAX,
      subjectMax: Math.min(subjectConcurrency, UPSTREAM_CALLS_MAX * SUBJECT_CALLS_SHARE),
      full
    })
  }
}

/**
 * To be registered after authentication. Refuses with `busy` or `deadline_passed`; a caller that goes away waits no longer. `admit` lets
 * those with a place go on; default: at once.
 */
export function registerLanes(app: Http, lanes: Lanes, admit: Processor['admit'] = (_subject, goOn) => goOn()): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { access = 'license', lane = 'commands' } = request.routeOptions.config
    if (access !== 'license' || lane === null) done()
    else enter({ semaphore: lanes[lane], admit }, request, reply, done)
  })
}

interface Door {
  readonly semaphore: Semaphore
  readonly admit: Processor['admit']
}

function enter({ semaphore, admit }: Door, { subject }: FastifyRequest, { raw }: FastifyReply, done: (error?: Error) => void): void {
  const held: { leave?: Cancel } = {}
  raw.once('close', () => held.leave?.())
  const giveUp = semaphore.enter({
    subject,
    deadlineMs: WAIT_MS_MAX,
    entered(releasePermit) {
      held.leave = releasePermit
      admit(subject, () => {
        if (!raw.destroyed) done()
      })
    },
    refused: done
  })
  held.leave ??= giveUp
}
