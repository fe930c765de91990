/**
 * Bodies and answers within the node's memory. A body counts until its request is answered, a long answer until it is read to its end. A
 * client that reads nothing of one for a while is cut off.
 */
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import type { Weight } from '../../domain/weight.js'
import type { AnswerShares, Hold, Http, MemoryShares, Processor } from '../contract/contracts.js'
import { countBody, letGoOfBody } from './body-shares.js'
import { inPieces, weightOnTheWay, type YieldToEventLoop } from './large-answers.js'

/**
 * Milliseconds in which a client reads nothing of a long answer before it is cut off; twice as many where it had read some, for Node.js
 * looks twice. The slowest links move something in a second.
 */
const STALLED_MS_MAX = 20_000

/** What is given back when a request is over: one listener for all of it. */
const endings = new WeakMap<ServerResponse, (() => void)[]>()

export interface StallLimits {
  /** Milliseconds that a connection may be idle otherwise. */
  readonly connectionTimeoutMs: number
  /** Default: `STALLED_MS_MAX`. */
  readonly stalledMs?: number
}

/** To be registered after authentication. What finds no memory is refused with `memory_exhausted`. */
export function registerMemoryShares(
  app: Http,
  { openHold, openLease }: MemoryShares,
  limits: StallLimits & { readonly yieldToEventLoop: YieldToEventLoop; readonly admit?: Processor['admit'] | undefined }
): void {
  const admit = limits.admit ?? atOnce
  app.addHook('onRequest', (request, reply, done) => {
    request.answerShares = {
      letGoOfBody: () => undefined,
      refersTo: (address) => whenOver(reply, openLease(address)),
      holds: createAnswerHold(() => openHold('answer', request.subject), reply)
    }
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const hold = openHold('request', request.subject)
    const body = countBody(request, payload, {
      hold,
      whenOver: (free) => whenOver(reply, free),
      admit: (goOn) => admit(request.subject, goOn)
    })
    if (body === null) return done()
    const { answerShares } = request
    const letGo = (): void => letGoOfBody(request, reply, { hold, bytes: body.bytes() })
    // Not as a literal: V8 makes a function that is assigned to a property in old memory, where this one would hold its request.
    if (answerShares !== null) answerShares.letGoOfBody = letGo
    done(null, body.payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = inPieces(payload, limits.yieldToEventLoop)
    const weight = weightOnTheWay(answer)
    if (weight === null) return done(null, payload)
    limitStall(reply, limits)
    take(openHold('answer', request.subject), weight, reply)
    done(null, answer)
  })
}

/** Everybody goes on. */
const atOnce: Processor['admit'] = (_subject, goOn) => goOn()

/** Opened when it is first needed: most answers need none. */
function createAnswerHold(open: () => Hold, reply: FastifyReply): AnswerShares['holds'] {
  let hold: Hold | null = null
  return (weight) => {
    if (hold === null) {
      hold = open()
      whenOver(reply, hold.free)
    }
    // Its request is over, and nobody would give it back.
    if (!reply.raw.destroyed) hold.take(weight)
  }
}

/** Throws `memory_exhausted`; what is taken is given back when the request is over. */
function take(hold: Hold, weight: Weight, reply: FastifyReply): void {
  hold.take(weight)
  whenOver(reply, hold.free)
}

/** Once: when the answer has left, or the connection has gone. At once for what is taken after that: Node.js tells it nobody again. */
function whenOver({ raw }: FastifyReply, free: () => void): void {
  if (raw.destroyed) return free()
  const waiting = endings.get(raw)
  if (waiting !== undefined) {
    waiting.push(free)
    return
  }
  const frees = [free]
  endings.set(raw, frees)
  const end = (): void => frees.splice(0).forEach((giveBack) => giveBack())
  raw.once('finish', end)
  raw.once('close', end)
}

/** A socket's time-out begins anew with every byte that the other side takes. */
function limitStall({ raw }: FastifyReply, { connectionTimeoutMs, stalledMs = STALLED_MS_MAX }: StallLimits): void {
  const { socket } = raw
  // A request that is injected has none.
  if (!(socket instanceof Socket)) return
  socket.setTimeout(stalledMs)
  raw.once('finish', () => socket.setTimeout(connectionTimeoutMs))
}
