/** Requests take turns by subject before anything of their bodies is read: what a subject has too much of waits, and nobody else does. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cancel } from '../../ports.js'
import type { Http, Lanes, Processor, Semaphore } from '../contract/contracts.js'

/**
 * Milliseconds that a request waits for its turn: with the 30 s of its work behind it, well under the minute in which most clients and
 * balancers give up.
 */
const WAIT_MS_MAX = 10_000

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
  // Its caller left while its licence was checked: nobody would give its place back.
  if (raw.destroyed) return
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
