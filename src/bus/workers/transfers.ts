/** Transfers between workers, of messages that would otherwise pass through the switchboard in one piece. */
import type { Clock } from '../../ports.js'
import { unlessAnswered } from '../refusals.js'
import { createTransfers, type PartLine, partsTopic, type Transfers } from '../transfers.js'
import { decodeMessage, encodeMessage } from '../message-codec.js'
import type { WorkerExchange } from './exchange.js'

/**
 * Parts of one message requested at once, 8 MiB. Each waits twice for the switchboard to be given a processor: with four at once, an export
 * of 28 MB took about a fifth longer on a busy machine.
 */
const PARTS_AT_ONCE = 16

/** Milliseconds for which a sender is told that no more of its message is wanted; it may have ended. */
const END_MS_MAX = 2_000

interface TransfersOptions {
  readonly exchange: Pick<WorkerExchange, 'ask' | 'serve'>
  readonly clock: Clock
  /** Name of this worker. */
  readonly name: string
  /** See `createTransfers`. */
  readonly bytesMax?: number | undefined
}

export function createWorkerTransfers({ exchange, clock, name, bytesMax }: TransfersOptions): Transfers {
  const named = (part: string) => ({ data: encodeMessage(part), isDivided: false })
  const line: PartLine = {
    // Copying a part twice takes the switchboard less than a millisecond.
    partBytesMax: () => Infinity,
    ask: (keeper, part, options) => exchange.ask(partsTopic(keeper), named(part), options).then(({ data }) => data, unlessAnswered),
    end: (keeper, part) => void exchange.ask(partsTopic(keeper), named(part), { waitMs: END_MS_MAX }).catch(unlessAnswered),
    serve: (process, answerTo) =>
      exchange.serve(partsTopic({ node: name, process }), async ({ content, from }) => {
        const part = decodeMessage(content.data)
        return { data: answerTo(String(part), from) ?? new Uint8Array(), isDivided: false }
      })
  }
  return createTransfers({ line, clock, bytesMax, partsAtOnce: PARTS_AT_ONCE })
}
