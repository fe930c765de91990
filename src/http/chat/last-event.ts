/** The last event of a stream that the model service does not bring to its end. */
import { isDomainError } from '../../domain/errors.js'
import { toChatError } from '../contract/chat-errors.js'
import { toProblem } from '../contract/errors.js'

/** Two line ends, each of one or two characters. */
const EVENT_END = /\n\n$|[\n\r]\r\n?$/

/** Characters of the longest one. */
const EVENT_END_CHARS = 4

/**
 * `body`, whose failure is an event in the shape of a refusal: clients know it, where a connection that is cut tells them nothing. It still
 * fails where nothing has come, as the status can tell then, and within an event, of which any further one would be a part.
 */
export async function* withLastEvent(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let tail = ''
  try {
    for await (const bytes of body) {
      tail = (tail + Buffer.from(bytes.subarray(-EVENT_END_CHARS)).toString('latin1')).slice(-EVENT_END_CHARS)
      yield bytes
    }
  } catch (error) {
    if (!isDomainError(error) || !EVENT_END.test(tail)) throw error
    yield Buffer.from(`data: ${JSON.stringify(toChatError(toProblem(error), error.code))}\n\n`)
  }
}
