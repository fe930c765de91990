/** Simulated broker and the nodes' lines to it: messages are delayed, reordered, duplicated or lost. */
import { isDomainError, DomainError } from '../../src/domain/errors.js'
import { decodeMessage, encodeMessage } from '../../src/bus/message-codec.js'
import type { NodeBus } from '../../src/ports.js'
import type { Chance } from '../torture/chance.js'
import { createOutboxStreams } from './outbox-streams.js'
import type { Scheduler } from './scheduler.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { Story } from './story.js'

/** State of a node's line to the broker. */
export interface Line {
  toIsCut: boolean
  fromIsCut: boolean
  /** Whether the node's client knows that the line is cut. */
  isNoticed: boolean
  /** One message in this many is lost; 0: none. */
  lossOneIn: number
  /** One in this many of the messages that may come twice does so; 0: none. */
  doubleOneIn: number
  /** Longest latency of one way in milliseconds. */
  latencyMsMax: number
}

export interface Network {
  busOf(process: SimulatedProcess): NodeBus
  lineOf(node: string): Line
}

export interface NetworkOptions {
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly story: Story
  readonly latencyMsMax: number
}

interface Server {
  readonly process: SimulatedProcess
  readonly handler: (body: unknown, from: string) => Promise<unknown>
}

interface Listener {
  readonly process: SimulatedProcess
  readonly topic: string
  readonly listener: (body: unknown, topic: string) => void
}

type Answer = { readonly data: Uint8Array } | { readonly error: DomainError }

/** Time limit in milliseconds for checks of the broker and for appending to its outbox. */
const CHECK_MS_MAX = 2_000

/** Resolution of latencies: parts per millisecond. */
const PARTS = 1_000

export function createNetwork({ scheduler, chance, story, latencyMsMax }: NetworkOptions): Network {
  const lines = new Map<string, Line>()
  const served = new Map<string, Server>()
  const listeners = new Set<Listener>()
  const lineOf = (node: string): Line => {
    const known = lines.get(node)
    if (known !== undefined) return known
    const line = { toIsCut: false, fromIsCut: false, isNoticed: false, lossOneIn: 0, doubleOneIn: 0, latencyMsMax }
    lines.set(node, line)
    return line
  }
  const latencyOf = (line: Line): number => chance.integer(1, line.latencyMsMax * PARTS) / PARTS
  const isLost = (line: Line): boolean => line.lossOneIn > 0 && chance.oneIn(line.lossOneIn)

  /** Sends from a node to the broker. */
  function send(process: SimulatedProcess, arrived: () => void): void {
    const line = lineOf(process.node)
    if (!process.isAlive || line.toIsCut || isLost(line)) return
    scheduler.after(latencyOf(line), arrived)
  }
  /** Passes on from the broker to a node. `mayDouble`: the broker promises at-least-once delivery only. */
  function pass(process: SimulatedProcess, mayDouble: boolean, arrived: () => void): void {
    const line = lineOf(process.node)
    if (line.fromIsCut || isLost(line)) return
    const copies = mayDouble && line.doubleOneIn > 0 && chance.oneIn(line.doubleOneIn) ? 2 : 1
    for (let copy = 0; copy < copies; copy++) scheduler.after(latencyOf(line), () => process.arrive(arrived))
  }
  const streams = createOutboxStreams({ scheduler, send, pass, story })

  function busOf(process: SimulatedProcess): NodeBus {
    const { clock, node } = process
    const line = lineOf(node)
    const refuseWhenNoticed = (): void => {
      if (line.isNoticed && (line.toIsCut || line.fromIsCut)) throw unreachable()
    }
    process.whenEnded(() => {
      for (const [topic, server] of served) if (server.process === process) served.delete(topic)
      for (const entry of listeners) if (entry.process === process) listeners.delete(entry)
    })
    /** A round trip to the broker, for which the caller waits at most `limitMs`. */
    function roundTrip<Result>(
      ask: (settle: (outcome: () => void) => void, resolve: (value: Result) => void, reject: (error: DomainError) => void) => void,
      limitMs: number,
      late: () => DomainError,
      signal?: AbortSignal
    ): Promise<Result> {
      refuseWhenNoticed()
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(late())
        const cancel = clock.after(limitMs, giveUp)
        signal?.addEventListener('abort', giveUp)
        const settle = (outcome: () => void): void =>
          pass(process, true, () => {
            cancel()
            outcome()
          })
        send(process, () => ask(settle, resolve, reject))
      })
    }
    return {
      serve(topic, handler) {
        const server = { process, handler }
        served.set(topic, server)
        return () => {
          if (served.get(topic) === server) served.delete(topic)
        }
      },
      async request(topic, body, { deadlineMs, signal }) {
        const data = encodeMessage(body)
        story.note(`ask ${process.name} ${topic} ${String(data.length)}`)
        return roundTrip<unknown>(
          (settle, resolve, reject) => {
            const server = served.get(topic)
            if (server === undefined) {
              settle(() => reject(unreachable()))
              return
            }
            // The broker delivers an ask to its one listener at most once.
            pass(server.process, false, () => {
              void answerOf(server.handler(decodeMessage(data), node)).then((answer) =>
                send(server.process, () =>
                  settle(() => {
                    if ('error' in answer) reject(answer.error)
                    else resolve(decodeMessage(answer.data))
                  })
                )
              )
            })
          },
          deadlineMs,
          late,
          signal
        )
      },
      publish(topic, body) {
        const data = encodeMessage(body)
        send(process, () => {
          story.note(`told ${process.name} ${topic}`)
          for (const entry of listeners) {
            if (isTopic(entry.topic, topic)) pass(entry.process, true, () => entry.listener(decodeMessage(data), topic))
          }
        })
      },
      subscribe(topic, listener) {
        const entry = { process, topic, listener }
        listeners.add(entry)
        return () => listeners.delete(entry)
      },
      async check() {
        await roundTrip<void>((settle, resolve) => settle(resolve), CHECK_MS_MAX, unreachable)
      },
      connections: () => 1,
      outbox: {
        async append(to, id, body) {
          const data = encodeMessage(body)
          await roundTrip<void>(
            (settle, resolve) => {
              streams.keep(to, id, data)
              settle(resolve)
            },
            CHECK_MS_MAX,
            unreachable
          )
        },
        take: (deliver) => streams.take(process, deliver)
      },
      async close() {
        for (const [topic, server] of served) if (server.process === process) served.delete(topic)
        for (const entry of listeners) if (entry.process === process) listeners.delete(entry)
      }
    }
  }
  return { busOf, lineOf }
}

/** A DomainError that a handler throws reaches the caller; any other error becomes `internal`. */
function answerOf(answered: Promise<unknown>): Promise<Answer> {
  return answered.then(
    (answer) => ({ data: encodeMessage(answer) }),
    (error: unknown) => ({ error: isDomainError(error) ? error : new DomainError('internal', 'Internal error') })
  )
}

function isTopic(pattern: string, topic: string): boolean {
  if (!pattern.endsWith('*')) return pattern === topic
  const stem = pattern.slice(0, -1)
  return topic.startsWith(stem) && !topic.slice(stem.length).includes('.')
}

function unreachable(): DomainError {
  return new DomainError('unreachable', 'Nobody answers here at the moment')
}

function late(): DomainError {
  return new DomainError('deadline_passed', 'No answer came in time')
}
