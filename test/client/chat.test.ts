/** Streams of the chat proxy: an incomplete answer never counts as a complete one. */
import t from 'tap'
import { createEngram } from '../../src/client/engram.js'
import type { Fetch } from '../../src/client/requests.js'
import { answer, beginStream, chunk, DONE, event, type Script, startUpstream } from '../support/chat-upstream.js'

const BODY = { model: 'any', messages: [{ role: 'user', content: 'Where do we fly?' }] }

/** Reads a stream from a stand-in for the service, which is all that the client sees of the model service. */
async function textOf(script: Script, pieces: string[]): Promise<void> {
  const upstream = await startUpstream(t, script)
  // Undefined options count as omitted.
  const unset = { signal: undefined, deadlineMs: undefined, retries: undefined }
  const engram = createEngram({ url: upstream.url, token: undefined, fetch: undefined, deadlineMs: undefined, retries: undefined })
  for await (const { choices, error } of await engram.chat.stream(BODY, unset)) {
    if (error !== undefined) pieces.push('error')
    const [choice] = (choices ?? []) as { readonly delta: { readonly content?: string } }[]
    if (choice?.delta.content !== undefined) pieces.push(choice.delta.content)
  }
}

t.test('chat stream: one that ends as a whole is given as a whole', async (t) => {
  for (const end of [DONE, chunk(null, 'stop'), chunk(null, 'length') + DONE]) {
    const pieces: string[] = []
    await textOf(({ response }) => beginStream(response).end(chunk('To ') + chunk('Lisbon.') + end), pieces)
    t.equal(pieces.join(''), 'To Lisbon.', end)
  }
})

t.test('chat: of several choices each has to be finished', async (t) => {
  const part = (index: number, finish_reason: string | null = null) => event({ choices: [{ index, delta: {}, finish_reason }] })
  const streamed = (...parts: string[]) => textOf(({ response }) => beginStream(response).end(parts.join('')), [])
  await streamed(part(0), part(1), part(0, 'stop'), part(0), part(1, 'stop'), event({ choices: [] }))
  const cut = streamed(part(0), part(1), part(0, 'stop'), part(1), event({ choices: [null] }))
  await t.rejects(cut, { name: 'EngramError', kind: 'unreachable' })
})

t.test('chat: a model that does not stream gives one piece, and is asked for what is wanted of it', async (t) => {
  const answer = { choices: [{ message: { role: 'assistant', content: 'Né à Łódź 🐐' } }] }
  const bytes = new TextEncoder().encode(JSON.stringify(answer))
  const asked: unknown[] = []
  const fetch: Fetch = async (request) => {
    asked.push(((await request.json()) as { readonly stream: unknown }).stream)
    // Cut within a character.
    const at = bytes.indexOf(0xc3) + 1
    const body = ReadableStream.from([bytes.subarray(0, at), bytes.subarray(at)])
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  const { chat } = createEngram({ url: 'http://host', fetch })
  const parts: unknown[] = []
  for await (const part of await chat.stream(BODY)) parts.push(part)
  t.same(parts, [answer])
  t.same((await chat.complete(BODY)).body, answer)
  t.same(asked, [true, false])
})

t.test('chat: what is no object, and an event without end, reject as unexpected', async (t) => {
  const long: Script = ({ response }) => beginStream(response).write(`data: ${'x'.repeat(5_000_000)}`)
  const others = ['null', '3', '<html>'].map(
    (data): Script =>
      ({ response }) =>
        beginStream(response).end(`data: ${data}\n\n${DONE}`)
  )
  for (const script of [long, ...others]) await t.rejects(textOf(script, []), { name: 'EngramError', kind: 'unexpected' })
  const upstream = await startUpstream(t, ({ response }) => response.end('null'))
  await t.rejects(createEngram({ url: upstream.url }).chat.complete(BODY), { name: 'EngramError', kind: 'unexpected' })
})

t.test('chat stream: one that only ends, and one whose connection is cut, reject after what they gave', async (t) => {
  const cut: Script = ({ response }) => beginStream(response).write(chunk('To '), () => response.destroy())
  const ended: Script = ({ response }) => beginStream(response).end(chunk('To '))
  const empty: Script = ({ response }) => beginStream(response).end()
  for (const [script, given] of [
    [cut, 'To '],
    [ended, 'To '],
    [empty, '']
  ] as const) {
    const pieces: string[] = []
    await t.rejects(textOf(script, pieces), { name: 'EngramError', kind: 'unreachable', status: null, detail: /^The answer broke off/ })
    t.equal(pieces.join(''), given)
  }
})

t.test('chat stream: one with an error rejects with its words, after the part that says it', async (t) => {
  for (const [error, words] of [
    [{ message: 'Out of memory' }, ' (Out of memory)'],
    ['odd', '']
  ] as const) {
    const pieces: string[] = []
    const detail = `The answer broke off${words}`
    await t.rejects(
      textOf(({ response }) => beginStream(response).end(chunk('To ') + event({ error }) + DONE), pieces),
      { name: 'EngramError', kind: 'unreachable', status: null, detail }
    )
    await t.rejects(
      textOf(({ response }) => answer(response, { error }), pieces),
      { name: 'EngramError', kind: 'unreachable', status: null, detail },
      'of a service that does not stream'
    )
    t.strictSame(pieces, ['To ', 'error', 'error'])
  }
})
