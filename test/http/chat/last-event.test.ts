/** Where a stream may still carry the reason for its end. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { withLastEvent } from '../../../src/http/chat/last-event.js'

const LATE = new DomainError('upstream_late', 'The model service fell silent')

const TOLD = 'data: {"error":{"message":"The model service fell silent","type":"server_error","param":null,"code":"upstream_late"}}\n\n'

/** Text of a failing stream of these pieces, and its error, if it ends with one. */
async function read(pieces: readonly string[], failure: Error | null): Promise<{ text: string; error?: unknown }> {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece)
    if (failure !== null) throw failure
  }
  let text = ''
  try {
    for await (const bytes of withLastEvent(body())) text += Buffer.from(bytes).toString()
    return { text }
  } catch (error) {
    return { text, error }
  }
}

t.test('after an event, however its lines end and its bytes come, the failure is one more', async (t) => {
  for (const end of ['\n\n', '\r\n\r\n', '\r\r', '\n\r\n', '\r\n\n', '\r\r\n', '\n\r']) {
    const text = `data: é${end}`
    t.strictSame(await read([text], LATE), { text: text + TOLD }, JSON.stringify(end))
    t.strictSame(await read([...text, ''], LATE), { text: text + TOLD }, `${JSON.stringify(end)} one by one`)
  }
})

t.test('within an event, and before the first one, it stays a failure', async (t) => {
  for (const text of ['', 'd', 'data: x', 'data: x\n', 'data: x\r', 'data: x\r\n', '\n', 'data: x\n\ndata: y\n'])
    t.strictSame(await read([text], LATE), { text, error: LATE }, JSON.stringify(text))
})

t.test('what is no refusal stays what it is, and a stream that ends has nothing added', async (t) => {
  const fault = new Error('a bug')
  t.strictSame(await read(['data: x\n\n'], fault), { text: 'data: x\n\n', error: fault })
  t.strictSame(await read(['data: x\n\n', 'data: [DO'], null), { text: 'data: x\n\ndata: [DO' })
})
