/** Transfers over NATS of what is larger than the server's `max_payload`; it queues no more for a node than its `max_pending` allows. */
import type { Clock } from '../../ports.js'
import { unlessAnswered } from '../refusals.js'
import { createTransfers as createMessageTransfers, type PartLine, partsTopic, type Transfers } from '../transfers.js'
import type { NatsLink } from './connection.js'
import type { Exchange } from './exchange.js'
import { requestTopic } from './names.js'

/** Maximum bytes of a message's headers. */
export const HEADERS_BYTES_MAX = 1_024

/** Which part is requested or sent: see `PartName`. */
const PART_HEADER = 'Engram-Part'

const NOTHING = new Uint8Array()

interface TransfersOptions {
  readonly link: NatsLink
  readonly exchange: Exchange
  readonly clock: Clock
  readonly name: string
  /** See `createMessageTransfers`. */
  readonly bytesMax?: number | undefined
}

export function createTransfers({ link, exchange, clock, name, bytesMax }: TransfersOptions): Transfers {
  const line: PartLine = {
    partBytesMax: () => link.payloadMax - HEADERS_BYTES_MAX,
    async ask(keeper, part, options) {
      const headers = { [PART_HEADER]: part }
      const answer = await exchange.ask({ topic: partsTopic(keeper), data: NOTHING, headers, ...options }).catch(unlessAnswered)
      return answer?.header(PART_HEADER) === part ? answer.data : null
    },
    end: (keeper, part) => void link.publish(requestTopic(partsTopic(keeper), name), NOTHING, { headers: { [PART_HEADER]: part } }),
    serve: (process, answerTo) =>
      exchange.serve(partsTopic({ node: name, process }), ({ from, message, answer }) => {
        const part = message.header(PART_HEADER)
        const data = answerTo(part, from)
        if (data !== null) answer(data, { [PART_HEADER]: part })
      })
  }
  return createMessageTransfers({ line, clock, bytesMax })
}
