/** Streams of the chat proxy: half an answer is never taken for a whole one. */
import t from 'tap'
import { createEngram } from '../../src/client/engram.js'
import { answer, beginStream, chunk, DONE, event, type Script, startUpstream } from '../support/chat-upstream.js'

const BODY = { model: 'any', messages: [{ role: 'user', content: 'Where do we fly?' }] }

/** What stands in the place of the service, since the client sees no more of the model service than that. */
async function textOf(script: Script, pieces: string[]): Promise<void> {
  const upstream = await startUpstream(t, script)
  // Options that are undefined are options that are not given.
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
