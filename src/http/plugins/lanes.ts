/** Makes requests wait for their subject's turn before their bodies are read: a subject with too many waits, and no other does. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cancel } from '../../ports.js'
import type { Lanes, Processor, Semaphore } from '../contract/contracts.js'
import { routeOf } from '../contract/route.js'
import type { Http } from '../contract/typed-http.js'
import { whenOver } from './when-over.js'

/**
 * Milliseconds that a request may wait for its turn. With the 30 s for its work this stays well below the minute after which most clients
 * and balancers give up.
 */
const WAIT_MS_MAX = 10_000

/**
 * Has to be registered after authentication. Refuses with `busy` or `deadline_passed`; a caller that goes away stops waiting. `admit` lets
 * requests with a place continue.
 */
export function registerLanes(app: Http, lanes: Lanes, admit: Processor['admit']): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { access = 'license', lane = 'commands' } = routeOf(request).config
    if (access !== 'license' || lane === null) done()
    // A caller that left while its licence was verified: no event would free its place.
    else if (!reply.raw.destroyed) enter(lanes[lane], request, reply, done)
  })

  function enter(semaphore: Semaphore, { subject }: FastifyRequest, { raw }: FastifyReply, done: (error?: Error) => void): void {
    const held: { leave?: Cancel } = {}
    whenOver(raw, () => held.leave?.())
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
}
