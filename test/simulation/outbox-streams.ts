/** Outbox messages that the broker keeps for each node until they are delivered: at least once, in no particular order. */
import { decodeMessage } from '../../src/bus/message-codec.js'
import type { Cancel, OutboxLog } from '../../src/ports.js'
import type { Scheduler } from './scheduler.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { Story } from './story.js'

type Deliver = Parameters<OutboxLog['take']>[0]

export interface OutboxStreams {
  keep(to: string, id: string, data: Uint8Array): void
  take(process: SimulatedProcess, deliver: Deliver): Cancel
}

export interface StreamsOptions {
  readonly scheduler: Scheduler
  readonly story: Story
  readonly send: (process: SimulatedProcess, arrived: () => void) => void
  readonly pass: (process: SimulatedProcess, mayDouble: boolean, arrived: () => void) => void
}

interface Kept {
  readonly data: Uint8Array
  readonly keptAtMs: number
  deliveries: number
  isDone: boolean
}

interface Stream {
  /** By id. Delivered messages stay, so that their ids are recognised as duplicates. */
  readonly messages: Map<string, Kept>
  taker: { readonly process: SimulatedProcess; readonly deliver: Deliver } | null
}

/** Milliseconds for which a message is kept and its id is recognised as a duplicate. */
const KEPT_MS = 120_000

/** Milliseconds before a message that was not acknowledged is delivered again. */
const AGAIN_MS = 3_000

export function createOutboxStreams({ scheduler, story, send, pass }: StreamsOptions): OutboxStreams {
  const streams = new Map<string, Stream>()
  const streamOf = (node: string): Stream => {
    const known = streams.get(node) ?? { messages: new Map<string, Kept>(), taker: null }
    streams.set(node, known)
    return known
  }

  function deliver(stream: Stream, id: string): void {
    const kept = stream.messages.get(id)
    const { taker } = stream
    if (kept === undefined || kept.isDone || taker === null || scheduler.nowMs - kept.keptAtMs > KEPT_MS) return
    kept.deliveries += 1
    const isRepeated = kept.deliveries > 1
    story.note(`outbox ${id} to ${taker.process.name}`)
    pass(taker.process, true, () => {
      void taker.deliver(decodeMessage(kept.data), { isRepeated }).then((isDone) => {
        if (isDone) send(taker.process, () => void (kept.isDone = true))
      })
    })
    scheduler.after(AGAIN_MS, () => deliver(stream, id))
  }

  return {
    keep(to, id, data) {
      const stream = streamOf(to)
      const known = stream.messages.get(id)
      if (known !== undefined && scheduler.nowMs - known.keptAtMs <= KEPT_MS) return
      stream.messages.set(id, { data, keptAtMs: scheduler.nowMs, deliveries: 0, isDone: false })
      deliver(stream, id)
    },
    take(process, take) {
      const stream = streamOf(process.node)
      const taker = { process, deliver: take }
      const stop = (): void => {
        if (stream.taker === taker) stream.taker = null
      }
      stream.taker = taker
      process.whenEnded(stop)
      for (const id of stream.messages.keys()) deliver(stream, id)
      return stop
    }
  }
}
