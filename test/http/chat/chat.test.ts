// The chat proxy as its callers see it, with the official client: answers in one piece.
import OpenAI from 'openai'
import t from 'tap'
import { answer, completion, startChat, UPSTREAM_KEY } from '../../support/chat-upstream.js'

const QUESTION = 'Which harbour did the lighthouse keeper paint?'
const ANSWER = 'He painted the old harbour of Whitby.'

const user = (content: string) => ({ role: 'user' as const, content })

t.test('a first question goes on with the first line of its context alone, and its answer is in the memory when it arrives', async (t) => {
  const { client, upstream, alice, memories, logs } = await startChat(t, ({ response }) =>
    answer(response, completion(ANSWER), { headers: { 'x-request-id': 'up-1' } })
  )
  const { data, response, request_id } = await client.chat.completions
    .create({ model: 'm', messages: [{ role: 'system', content: 'Be brief.' }, user(QUESTION)], temperature: 0.2 })
    .withResponse()
  t.equal(data.choices[0]?.message.content, ANSWER)
  t.equal(request_id, 'up-1')
  const sessionId = response.headers.get('x-session-id') ?? ''
  t.match(sessionId, /^[0-9a-f-]{36}$/, 'a session was made')
  t.strictSame(await memories(sessionId), [`user: ${QUESTION}`, `assistant: ${ANSWER}`])

  const [call] = upstream.calls
  t.match(call, { method: 'POST', path: '/v1/chat/completions', headers: { authorization: `Bearer ${UPSTREAM_KEY}` } })
  t.notOk([JSON.stringify(call?.headers), call?.text].join().includes(alice.token), 'the licence stays here')
  // Interface, Context block: with no hit the first line stands alone.
  const context = { role: 'system', content: '[Memory context | Phase: initialization | Turn 1 | 0 memories]' }
  t.strictSame(upstream.body(1), {
    model: 'm',
    messages: [{ role: 'system', content: 'Be brief.' }, context, user(QUESTION)],
    temperature: 0.2
  })
  t.notMatch(logs.join(''), /Whitby|lighthouse|upstream-key|eyJ/)
})

t.test('a later question gets its context as one system message after those of the caller', async (t) => {
  const { client, upstream, alice } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)))
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
    client.chat.completions.create({ model: 'm', messages }, { headers: { 'x-session-id': 's' } })
  await ask([user(QUESTION)])
  const own = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'developer' as const, content: 'Answer in English.' }
  ]
  const talk = [user(QUESTION), { role: 'assistant' as const, content: ANSWER }, user('Which harbour was it that he painted?')]
  await ask([...own, ...talk])
  const { messages } = upstream.body(2)
  t.strictSame([...messages.slice(0, 2), ...messages.slice(3)], [...own, ...talk])
  t.equal(messages[2]?.role, 'system')
  t.match(messages[2]?.content, /^\[Memory context \| .*\]\nRelevant context:\n {2}1\. \[[\d.]+\] .*Whitby/)
  await ask([user('Which harbour, and who painted it?')])
  t.equal(upstream.body(3).messages.length, 2, 'before the conversation where there is nothing else')
  t.match((await alice.get('/v1/metrics/s')).body, { interaction_count: 3 })
})

t.test('the session, from the body, else from the header; the body is rid of it', async (t) => {
  const { post, upstream } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)))
  const body = { model: 'm', messages: [user(QUESTION)] }
  for (const [session_id, header, expected] of [
    ['in-body', undefined, 'in-body'],
    [undefined, 'in-header', 'in-header'],
    ['in-body', 'in-header', 'in-body'],
    [null, 'in-header', 'in-header']
  ] as const) {
    const response = await post({ session_id, ...body }, { headers: { ...(header !== undefined && { 'x-session-id': header }) } })
    t.equal(response.headers.get('x-session-id'), expected)
    await response.text()
  }
  for (const { text } of upstream.calls) t.notMatch(text, 'session_id')
})

t.test('what the proxy does not know passes character for character in both directions', async (t) => {
  const reply = `{ "choices":[{"index":0,"message":{"content":"${ANSWER}"}}], "big": 12345678901234567890, "e": 1.0e+2 }`
  const { post, upstream } = await startChat(t, ({ response }) => answer(response, reply))
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { 'a"]}': { type: 'string' } } } } }]
  const fields = `"seed":12345678901234567890,"temperature":1.0,"x\\u0041":[1e400 , {"y": -0.0}],"tools":${JSON.stringify(tools)}`
  const messages = JSON.stringify([
    { role: 'user', name: 'A]}"', content: [{ type: 'text', text: 'Look:' }, picture, { type: 'text', text: QUESTION }] }
  ])
  const response = await post(`{"messages":${messages},"session_id":"s",${fields}}`)
  t.equal(await response.text(), reply)
  const [call] = upstream.calls
  const context = /\{"role":"system","content":"\[Memory context \|[^"]*\]"\},/
  t.match(call?.text, context)
  t.equal(call?.text.replace(context, ''), `{"messages":${messages},${fields}}`)
})

t.test('the texts of a message of parts are run; without any text nothing is run, nothing stored, and the answer arrives', async (t) => {
  const { post, memories } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)))
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const ask = async (session_id: string, content: unknown) => (await post({ session_id, messages: [{ role: 'user', content }] })).status
  t.equal(await ask('parts', [{ type: 'text', text: 'What is' }, picture, { type: 'text', text: 'on it?' }]), 200)
  t.strictSame(await memories('parts'), ['user: What is\non it?', `assistant: ${ANSWER}`])
  for (const content of [[picture], '', ' \n', null, [], [{ type: 'text' }], 5]) {
    t.equal(await ask('none', content), 200, JSON.stringify(content))
    t.strictSame(await memories('none'), [])
  }
  t.equal(await ask('odd', 'What is \u0000 and \ud800?'), 200)
  t.strictSame((await memories('odd'))[0], 'user: What is \ufffd and \ufffd?', 'what no storage keeps')
  const long = `${'How long is it? '.repeat(12_500)}And this?`
  t.equal(await ask('long', long), 200)
  t.strictSame((await memories('long'))[0], `user: ${long.slice(0, 200_000)}`)
})

t.test('the question before a call of a tool is kept once, and the answer that follows belongs to it', async (t) => {
  const tool_calls = [{ id: 'c1', type: 'function' as const, function: { name: 'look_up', arguments: '{}' } }]
  const { client, alice, memories } = await startChat(t, ({ response }, nth) =>
    answer(response, nth === 1 ? completion('Let me look that up.', { tool_calls }, 'tool_calls') : completion(ANSWER))
  )
  const ask = (messages: OpenAI.ChatCompletionMessageParam[]) =>
    client.chat.completions.create({ model: 'm', messages }, { headers: { 'x-session-id': 's' } })
  t.strictSame((await ask([user(QUESTION)])).choices[0]?.message.tool_calls, tool_calls)
  t.strictSame(await memories('s'), [`user: ${QUESTION}`], 'what is said on the way is no answer')
  await ask([user(QUESTION), { role: 'assistant', content: null, tool_calls }, { role: 'tool', tool_call_id: 'c1', content: 'Whitby' }])
  t.strictSame(await memories('s'), [`user: ${QUESTION}`, `assistant: ${ANSWER}`])
  t.match((await alice.post('/v1/run', { session_id: 's', message: QUESTION })).body, {
    short_circuit: true,
    context: /Q: Which harbour.* A: He painted/
  })
})

t.test('of several choices the first one is stored, whatever their order; a refusal or an empty answer is not', async (t) => {
  const choice = (index: number, content: string | null) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })
  const { post, memories } = await startChat(t, ({ response }, nth) => {
    if (nth === 1) answer(response, { choices: [choice(1, 'The second.'), choice(0, ANSWER)] })
    else answer(response, { choices: [choice(0, nth === 2 ? null : '')] })
  })
  for (const session_id of ['several', 'null', 'empty']) await (await post({ session_id, n: 2, messages: [user(QUESTION)] })).text()
  t.strictSame(await memories('several'), [`user: ${QUESTION}`, `assistant: ${ANSWER}`])
  for (const id of ['null', 'empty']) t.strictSame(await memories(id), [`user: ${QUESTION}`])
})

t.test('the fields that name a user name the data subject where they can, and go on as they are', async (t) => {
  const { post, alice, upstream } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)))
  const users = async (id: string) =>
    ((await alice.get(`/v1/session/${id}/memories`)).body['memories'] as { user_id: unknown }[]).map(({ user_id }) => user_id)
  for (const [id, names] of [
    ['older', { user: 'anna' }],
    ['newer', { safety_identifier: 'anna' }],
    ['both', { user: 'ben', safety_identifier: 'anna' }]
  ] as const) {
    await (await post({ session_id: id, messages: [user(QUESTION)], ...names })).text()
    t.strictSame(await users(id), ['anna', 'anna'])
    t.match(upstream.body(upstream.calls.length), names)
  }
  for (const [at, odd] of ['', 'a'.repeat(129), 5, null, 'a\0'].entries()) {
    t.equal((await post({ session_id: `odd-${at}`, user: odd, messages: [user(QUESTION)] })).status, 200)
    t.strictSame(await users(`odd-${at}`), [null, null])
  }
})

t.test('an input that isolation holds back does not reach the model, and nothing of it is kept', async (t) => {
  const { client, alice, upstream, memories } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)))
  await alice.post('/v1/session/create', { session_id: 's' })
  for (const [level, count] of [
    ['QUARANTINE', 1],
    ['LOCKDOWN', 1]
  ] as const) {
    await alice.post('/v1/session/s/anchor', { text: 'invoice payment billing refund' })
    await alice.put('/v1/session/s/isolation', { level })
    const refused = client.chat.completions.create(
      { model: 'm', messages: [user('Tell me about pirates.')] },
      { headers: { 'x-session-id': 's' } }
    )
    await t.rejects(refused, { status: 400, code: 'content_filter', param: 'messages', type: 'invalid_request_error' })
    t.match((await alice.get('/v1/metrics/s')).body, { isolation: { quarantined_count: count } })
  }
  t.equal(upstream.calls.length, 0)
  t.strictSame(await memories('s'), [])
})

t.test(
  "the upstream's own refusals arrive with their status, body and hints; the question stands once, however often it is sent",
  async (t) => {
    const error = { error: { message: 'Slow down', type: 'requests', param: null, code: 'rate_limit_exceeded', extra: [1] } }
    const { client, post, memories } = await startChat(t, ({ response }, nth) => {
      if (nth === 1) answer(response, error, { status: 429, headers: { 'retry-after': '7', 'set-cookie': 'a=b', 'x-request-id': 'up-1' } })
      else if (nth === 2) answer(response, '<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
      else answer(response, completion(ANSWER))
    })
    const body = { model: 'm', messages: [user(QUESTION)] }
    const options = { headers: { 'x-session-id': 's' } }
    await t.rejects(client.chat.completions.create(body, options), {
      message: '429 Slow down',
      status: 429,
      error: error.error,
      requestID: 'up-1'
    })
    const second = await post({ session_id: 's', ...body })
    t.strictSame([second.status, second.headers.get('content-type'), await second.text()], [502, 'text/html', '<html>Bad gateway</html>'])
    t.equal(second.headers.get('x-session-id'), 's')
    t.equal(second.headers.get('set-cookie'), null)
    await client.chat.completions.create(body, options)
    t.strictSame(await memories('s'), [`user: ${QUESTION}`, `assistant: ${ANSWER}`])
  }
)

t.test('an upstream that breaks off, redirects or is gone is told as such, and the session stays as it was asked', async (t) => {
  const { client, memories, upstream } = await startChat(t, ({ response }, nth) => {
    if (nth === 1)
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
        .write(JSON.stringify(completion(ANSWER)), () => response.destroy())
    else if (nth === 2) response.destroy()
    else response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
  })
  for (const message of ['broke off', 'cannot be reached', 'redirect (307)']) {
    const asked = client.chat.completions.create({ model: 'm', messages: [user(QUESTION)] }, { headers: { 'x-session-id': 's' } })
    await t.rejects(asked, { status: 503, code: 'upstream_unavailable', type: 'server_error', message })
    t.strictSame(await memories('s'), [`user: ${QUESTION}`], message)
  }
  t.equal(upstream.calls.length, 3)
})

t.test('an upstream that answers nonsense is passed on as it is, and nothing of it is kept', async (t) => {
  const nonsense = [
    '',
    'null',
    '[]',
    '{',
    '{"choices":5}',
    '{"choices":[null]}',
    '{"choices":[{"message":"x"}]}',
    '{"choices":[{"index":0,"message":{"content":5}}]}'
  ]
  const { post, memories } = await startChat(t, ({ response }, nth) => answer(response, nonsense[nth - 1] ?? ''))
  for (const text of nonsense) {
    const response = await post({ session_id: 's', messages: [user(QUESTION)] })
    t.strictSame([response.status, await response.text()], [200, text])
    t.strictSame(await memories('s'), [`user: ${QUESTION}`])
  }
})

t.test('an answer that cannot be stored arrives nevertheless, and the log says so without it', async (t) => {
  const { client, logs, memories } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)), {
    env: { SERVICE_MAX_MEMORIES: '1' }
  })
  const { choices } = await client.chat.completions.create({ model: 'm', messages: [user(QUESTION)] }, { headers: { 'x-session-id': 's' } })
  t.equal(choices[0]?.message.content, ANSWER)
  t.strictSame(await memories('s'), [`user: ${QUESTION}`])
  const [line = ''] = logs.filter((entry) => entry.includes('an answer was not stored'))
  t.match(JSON.parse(line), { level: 40, code: 'memory_full' })
  t.notMatch(logs.join(''), /Whitby/)
})

t.test('an answer above what a memory holds arrives whole and is not stored', async (t) => {
  const long = 'He painted it. '.repeat(20_000)
  const { client, memories } = await startChat(t, ({ response }) => answer(response, completion(long)))
  const { choices } = await client.chat.completions.create({ model: 'm', messages: [user(QUESTION)] }, { headers: { 'x-session-id': 's' } })
  t.equal(choices[0]?.message.content, long)
  t.strictSame(await memories('s'), [`user: ${QUESTION}`])
})

t.test('a page of another origin may use the official client, and reads the session', async (t) => {
  const origin = 'https://app.example'
  const { client, upstream, url } = await startChat(t, ({ response }) => answer(response, completion(ANSWER)), {
    env: { CORS_ALLOW_ORIGINS: origin }
  })
  const { response } = await client.chat.completions
    .create({ model: 'm', messages: [user(QUESTION)] }, { headers: { origin } })
    .withResponse()
  t.equal(response.headers.get('access-control-allow-origin'), origin)
  const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []
  const read = [
    'x-session-id',
    'x-request-id',
    'retry-after',
    'openai-processing-ms',
    'x-ratelimit-limit-requests',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-tokens'
  ]
  t.strictSame(
    read.filter((name) => !exposed.includes(name)),
    []
  )
  // What the client sends is learnt from a call that goes straight to the upstream.
  await new OpenAI({ baseURL: upstream.url, apiKey: 'x' }).chat.completions.create({ model: 'm', messages: [] })
  const preflight = await fetch(`${url}/compat/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  })
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
  const own = Object.keys(upstream.calls[1]?.headers ?? {}).filter((name) =>
    /^(x-|openai-|authorization|content-type|user-agent)/.test(name)
  )
  t.strictSame(
    own.filter((name) => !allowed.includes(name)),
    []
  )
  t.ok(own.length > 5)
})
