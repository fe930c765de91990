/** Ends a stream with an error event when the model service breaks it off. */
import { isDomainError } from '../../domain/errors.js'
import { toChatError } from '../contract/chat-errors.js'
import { toProblem } from '../contract/errors.js'

/** Two line ends, each of one or two characters. */
const EVENT_END = /\n\n$|[\n\r]\r\n?$/

/** Characters of the longest event end. */
const EVENT_END_CHARS = 4

/**
 * Passes `body` on. If it fails, sends the failure as an event in the shape of a refusal: clients understand it, while a cut connection
 * tells them nothing. Still fails when nothing has been sent, because the status can report it then, and in the middle of an event, because
 * further bytes would become part of it.
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
