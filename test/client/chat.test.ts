/** Streams of the chat proxy: half an answer is never taken for a whole one. */
import t from 'tap'
import { createEngram } from '../../src/client/engram.js'
import { beginStream, chunk, DONE, event, type Script, startUpstream } from '../support/chat-upstream.js'

const BODY = { model: 'any', messages: [{ role: 'user', content: 'Where do we fly?' }] }

/** What stands in the place of the service, since the client sees no more of the model service than that. */
async function textOf(script: Script, pieces: string[]): Promise<void> {
  const upstream = await startUpstream(t, script)
  // Options that are undefined are options that are not given.
  const unset = { signal: undefined, deadlineMs: undefined, retries: undefined }
  const engram = createEngram({ url: upstream.url, token: undefined, fetch: undefined, deadlineMs: undefined, retries: undefined })
  for await (const { choices } of await engram.chat.stream(BODY, unset)) {
    const [choice] = (choices ?? []) as { readonly delta: { readonly content?: string } }[]
    if (choice?.delta.content !== undefined) pieces.push(choice.delta.content)
  }
}

t.test('chat stream: one that ends as a whole is given as a whole', async (t) => {
  for (const end of [DONE, chunk(null, 'stop'), chunk(null, 'length') + DONE, event({ error: { message: 'Out of memory' } })]) {
    const pieces: string[] = []
    await textOf(({ response }) => beginStream(response).end(chunk('To ') + chunk('Lisbon.') + end), pieces)
    t.equal(pieces.join(''), 'To Lisbon.', end)
  }
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
