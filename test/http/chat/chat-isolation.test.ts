// If a session accepts only checked inputs, the chat proxy passes nothing to the model that was not checked.
import t, { type Test } from 'tap'
import { answer, type ChatService, completion, startChat } from '../../support/chat-upstream.js'

const QUESTION = 'Where is the invoice for the payment of the refund?'
const SECRET = 'Pirates sail the seven seas for golden doubloons.'
const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

const LEVELS = ['QUARANTINE', 'LOCKDOWN'] as const

const user = (content: unknown) => ({ role: 'user', content })
const ask = (...messages: unknown[]) => ({ model: 'm', messages })

/** Bodies that carry SECRET, or something unchecked, outside the message that is run. */
const SMUGGLED: Readonly<Record<string, object | string>> = {
  'nothing but it': ask(user(SECRET)),
  'an earlier message': ask(user(SECRET), user(QUESTION)),
  'an earlier question and its answer': ask(user(SECRET), { role: 'assistant', content: 'Aye.' }, user(QUESTION)),
  'a later role': ask(user(QUESTION), { role: 'assistant', content: SECRET }),
  ...Object.fromEntries(
    ['User', ' user', 'tool', 'function', 'developer', 'system', 'assistant', 'System', 'critic', ''].flatMap((role) => [
      [`the role "${role}" after`, ask(user(QUESTION), { role, content: SECRET })],
      [`the role "${role}" before`, ask({ role, content: SECRET }, user(QUESTION))],
      [`the role "${role}" alone`, ask({ role, content: SECRET })]
    ])
  ),
  'a result of a tool': ask(user(QUESTION), { role: 'tool', tool_call_id: 'c1', content: SECRET }),
  'a result of a tool, on domain': ask(user(QUESTION), { role: 'tool', tool_call_id: SECRET, content: QUESTION }),
  'a result of a function': ask(user(QUESTION), { role: 'function', name: 'f', content: SECRET }),
  'calls of tools': ask(user(QUESTION), {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: SECRET } }]
  }),
  'a call of a function': ask(user(QUESTION), { role: 'assistant', function_call: { name: 'f', arguments: SECRET } }),
  'a refusal': ask(user(QUESTION), { role: 'assistant', content: null, refusal: SECRET }),
  'the name of a speaker': ask({ ...user(QUESTION), name: 'Pirates_sail' }),
  'another field of a message': ask({ ...user(QUESTION), reasoning_content: SECRET }),
  'a part input_text': ask(
    user([
      { type: 'text', text: QUESTION },
      { type: 'input_text', text: SECRET }
    ])
  ),
  'a part input_text alone': ask(user([{ type: 'input_text', text: SECRET }])),
  'a part of text beside': ask(user([{ type: 'text', text: QUESTION, title: SECRET }])),
  'a part without a type': ask(user([{ text: SECRET }, { type: 'text', text: QUESTION }])),
  'a part that is a string': ask(user([SECRET, { type: 'text', text: QUESTION }])),
  'a part Text': ask(
    user([
      { type: 'Text', text: SECRET },
      { type: 'text', text: QUESTION }
    ])
  ),
  'a part of nested text': ask(
    user([
      { type: 'text', text: { value: SECRET } },
      { type: 'text', text: QUESTION }
    ])
  ),
  'a picture': ask(user([{ type: 'text', text: QUESTION }, PICTURE])),
  'a picture alone': ask(user([PICTURE])),
  'text before a picture': ask(user(SECRET), user([PICTURE])),
  sound: ask(
    user([
      { type: 'text', text: QUESTION },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    ])
  ),
  'a file': ask(
    user([
      { type: 'text', text: QUESTION },
      { type: 'file', file: { file_data: 'AAAA' } }
    ])
  ),
  'a part refusal': ask(user(QUESTION), { role: 'assistant', content: [{ type: 'refusal', refusal: SECRET }] }),
  'content that is an object': ask(user({ type: 'text', text: SECRET }), user(QUESTION)),
  'content that is a number': ask(user(5), user(QUESTION)),
  'nothing to read': ask(user('')),
  blanks: ask(user(' \n\t ')),
  'no content': ask({ role: 'user' }),
  'characters of no width': ask(user('\u200b\u200b\u2060'), user(QUESTION)),
  'tags that nobody sees': ask(user(QUESTION + SECRET.replace(/./g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))))),
  'selectors that nobody sees': ask(user(`${QUESTION}\u{e0150}\u{e0160}`)),
  'writing from right to left': ask(user(`${QUESTION}\u202e`)),
  'control characters': ask(user(`${QUESTION}\u0000\u001b[8m`)),
  'half a character': ask(user(`${QUESTION}\ud83d`)),
  tools: { ...ask(user(QUESTION)), tools: [{ type: 'function', function: { name: 'f', description: SECRET } }] },
  functions: { ...ask(user(QUESTION)), functions: [{ name: 'f', description: SECRET }] },
  'a choice of a tool': { ...ask(user(QUESTION)), tool_choice: { type: 'function', function: { name: SECRET } } },
  'the schema of the answer': {
    ...ask(user(QUESTION)),
    response_format: { type: 'json_schema', json_schema: { name: 's', description: SECRET } }
  },
  'a known form of answer with more': { ...ask(user(QUESTION)), response_format: { type: 'text', text: SECRET } },
  ...Object.fromEntries(
    ['prompt', 'input', 'instructions', 'system', 'context', 'suffix', 'stop', 'Messages', 'prediction', 'web_search_options', 'x'].map(
      (name) => [`the field ${name}`, { ...ask(user(QUESTION)), [name]: SECRET }]
    )
  ),
  metadata: { ...ask(user(QUESTION)), metadata: { note: SECRET } },
  'a sentence for a user': { ...ask(user(QUESTION)), user: SECRET },
  'a sentence for a model': { ...ask(user(QUESTION)), model: SECRET },
  'a setting of another type': { ...ask(user(QUESTION)), temperature: SECRET },
  'a list of settings': { ...ask(user(QUESTION)), n: [SECRET] },
  'an option of the stream': { ...ask(user(QUESTION)), stream_options: { include_usage: SECRET } }
}

/** Starts a session whose domain is invoices, at that isolation level. */
async function startClosed(t: Test, level: string): Promise<ChatService> {
  const chat = await startChat(t, ({ response }) => answer(response, completion('It is in the folder of payments.')))
  await chat.alice.post('/v1/session/create', { session_id: 's' })
  await chat.alice.post('/v1/session/s/anchor', { text: QUESTION })
  await chat.alice.put('/v1/session/s/isolation', { level })
  return chat
}

for (const level of LEVELS) {
  t.test(`${level}: whatever was not checked stays here, and the refusal is a filter's`, async (t) => {
    const { post, upstream } = await startClosed(t, level)
    for (const [name, body] of Object.entries(SMUGGLED)) {
      const response = await post(body, { headers: { 'x-session-id': 's' } })
      const { error } = (await response.json()) as { error: { code: string; param: string; message: string; type: string } }
      t.match(
        { status: response.status, ...error },
        { status: 400, code: 'content_filter', type: 'invalid_request_error', param: /^\w+/ },
        name
      )
      t.notMatch(error.message, /Pirates|doubloons/)
    }
    t.equal(upstream.calls.length, 0)
  })

  t.test(`${level}: a talk about its domain goes on, its answers and what it has let in as well`, async (t) => {
    const { post, alice, upstream } = await startClosed(t, level)
    const send = async (body: object) => (await post({ session_id: 's', ...body })).status
    const settings = {
      temperature: 0.2,
      top_p: 1,
      n: 1,
      stream: false,
      seed: 5,
      tools: [],
      metadata: {},
      user: 'ann',
      response_format: { type: 'json_object' },
      stop: null
    }
    t.equal(await send({ ...ask(user(QUESTION)), ...settings }), 200)
    const context = { role: 'system', content: /^\[Memory context \| [^\n]*\]$/ }
    t.match(upstream.body(1), { ...settings, messages: [context, user(QUESTION)] }, 'as it was sent, with its context')
    // No part of this answer is near the domain, but the session knows it word for word.
    const talk = [
      user(QUESTION),
      { role: 'assistant', content: 'It is in the folder of payments.' },
      user([{ type: 'text', text: QUESTION }])
    ]
    t.equal(await send(ask(...talk)), 200)
    const system = { role: 'system', content: 'Be brief and polite.' }
    t.equal(await send(ask(system, user(QUESTION))), 400)
    await alice.post('/v1/session/s/memory', { text: system.content })
    t.equal(await send(ask(system, user(QUESTION))), 200, 'instructions that the session was given')
    t.equal(await send(ask({ role: 'system', content: '' }, user(QUESTION))), 200)
  })

  t.test(`${level}: a field that is given twice reaches the model as it was checked`, async (t) => {
    const { post, upstream } = await startClosed(t, level)
    const good = JSON.stringify([user(QUESTION)])
    const bad = JSON.stringify([user(SECRET)])
    const sent = [
      `{"session_id":"s","messages":${bad},"messages":${good}}`,
      `{"session_id":"s","messages":[{"role":"user","content":${JSON.stringify(SECRET)},"content":${JSON.stringify(QUESTION)}}]}`,
      `{"session_id":"s","prompt":${bad},"prompt":null,"messages":${good}}`
    ]
    for (const text of sent) t.equal((await post(text)).status, 200)
    for (const { text } of upstream.calls) t.notMatch(text, 'Pirates')
    t.equal((await post(`{"session_id":"s","messages":${good},"messages":${bad}}`)).status, 400)
  })
}

t.test('OPEN and FILTER: all of it goes on as it came', async (t) => {
  const levels = ['OPEN', 'FILTER']
  for (const level of levels) {
    const { post, upstream } = await startClosed(t, level)
    const half = Object.entries(SMUGGLED).filter((_, at) => levels[at % 2] === level)
    for (const [name, body] of half) t.equal((await post(body, { headers: { 'x-session-id': 's' } })).status, 200, name)
    t.equal(upstream.calls.length, half.length)
  }
})

t.test('LOCKDOWN: what is longer than what was looked at stays here', async (t) => {
  const { post, upstream } = await startClosed(t, 'LOCKDOWN')
  t.equal((await post({ session_id: 's', ...ask(user(`${`${QUESTION} `.repeat(4_000)}${SECRET}`)) })).status, 400)
  t.equal(upstream.calls.length, 0)
})

t.test('LOCKDOWN without a domain: nothing passes, an empty talk neither', async (t) => {
  const { post, alice, upstream } = await startChat(t, ({ response }) => answer(response, completion('x')))
  await alice.post('/v1/session/create', { session_id: 's' })
  await alice.put('/v1/session/s/isolation', { level: 'LOCKDOWN' })
  for (const messages of [[user(QUESTION)], [user('')], [{ role: 'system', content: 'x' }]])
    t.equal((await post({ session_id: 's', messages })).status, 400)
  t.equal(upstream.calls.length, 0)
})
