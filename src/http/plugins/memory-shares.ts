/**
 * Accounts for bodies and answers in the node's memory. A body counts until its request is answered, a long answer until it is read to its
 * end. A client that stops reading one is disconnected after a while.
 */
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerShares, Hold, MemoryShares, Processor } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { countBody, releaseBody } from './body-shares.js'
import { inPieces, weightOnTheWay, type YieldToEventLoop } from './large-answers.js'
import { whenOver } from './when-over.js'

/**
 * Milliseconds after which a client that reads nothing of a long answer is disconnected. Twice as many if it had read some, because Node.js
 * checks twice. Even the slowest links move something within a second.
 */
const STALLED_MS_MAX = 20_000

interface StallLimits {
  /** Milliseconds that a connection may otherwise be idle. */
  readonly connectionTimeoutMs: number
  /** Default: `STALLED_MS_MAX`. */
  readonly stalledMs?: number
}

interface MemorySharesOptions extends StallLimits {
  readonly yieldToEventLoop: YieldToEventLoop
  readonly admit: Processor['admit']
}

/** Has to be registered after authentication. Refuses with `memory_exhausted` when there is no memory. */
export function registerMemoryShares(app: Http, { openHold, openLease }: MemoryShares, options: MemorySharesOptions): void {
  app.decorateRequest('answerShares')
  app.addHook('onRequest', (request, reply, done) => {
    request.answerShares = {
      releaseBody: () => undefined,
      leaseRecord: (address) => whenOver(reply.raw, openLease(address)),
      holds: createAnswerHold(openHold, request, reply)
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const hold = openHold('request', request.subject)
    const body = countBody(request, payload, { hold, raw: reply.raw, admit: (goOn) => options.admit(request.subject, goOn) })
    if (body === null) return done()
    const letGo = (): void => releaseBody(request, hold, body.bytes())
    // Through a constant: V8 allocates a function literal that is assigned to a property in old space, where this one would retain its
    // request.
    request.answerShares.releaseBody = letGo
    done(null, body.payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Sending a piece costs about as much as a short request.
    const untilAdmitted = () => new Promise<void>((goOn) => options.admit(request.subject, goOn)).then(options.yieldToEventLoop)
    const answer = inPieces(payload, untilAdmitted)
    const weight = weightOnTheWay(answer)
    if (weight === null) return done(null, payload)
    limitStall(reply, options)
    createAnswerHold(openHold, request, reply)(weight)
    done(null, answer)
  })
}

/** Returns a function that takes memory until the request is over. It opens the hold on first use, because most answers need none. */
function createAnswerHold(openHold: MemoryShares['openHold'], request: FastifyRequest, { raw }: FastifyReply): AnswerShares['holds'] {
  let hold: Hold | null = null
  return (weight) => {
    if (hold === null) {
      hold = openHold('answer', request.subject)
      whenOver(raw, hold.close)
    }
    hold.take(weight)
  }
}

/** A socket's time-out restarts whenever the other side accepts a byte. */
function limitStall({ raw }: FastifyReply, { connectionTimeoutMs, stalledMs = STALLED_MS_MAX }: StallLimits): void {
  const { socket } = raw
  // An injected request has no socket.
  if (!(socket instanceof Socket)) return
  socket.setTimeout(stalledMs)
  raw.once('finish', () => socket.setTimeout(connectionTimeoutMs))
}
