// The tools over HTTP with the official client: what they do, for whom, and what they answer when they fail.
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { createLanes } from '../../src/composition/lanes.js'
import { createRig } from '../support/http-rig.js'
import { createManualClock } from '../support/manual-clock.js'
import { connectOverHttp } from '../support/mcp-client.js'
import { startService } from '../support/real-service.js'
import { until } from '../support/until.js'

/** A service that listens, and clients of it. */
async function serve(t: Test, env: Record<string, string> = {}) {
  const running = await startService(t, { env, nodes: 1 })
  const url = await running.service.http.listen({ host: '127.0.0.1', port: 0 })
  const as = async (subject: string, headers: Record<string, string> = {}) => {
    const { token } = await running.as(subject)
    return connectOverHttp(t, url, { authorization: `Bearer ${token}`, ...headers })
  }
  return { ...running, url, as, callerOf: running.as }
}

t.test('every tool describes itself for a model, with an example that its own schema accepts', async (t) => {
  const { as } = await serve(t)
  const { client } = await as('anna')
  const { tools } = await client.listTools()
  t.strictSame(
    tools.map(({ name }) => name),
    ['remember', 'recall', 'search', 'list_memories', 'forget', 'list_sessions', 'create_session', 'delete_session', 'drift']
  )
  t.match(client.getInstructions(), /recall/)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { name, description = '', inputSchema, outputSchema, annotations } of tools) {
    const [, example = ''] = /^Example: (\{.*\})$/m.exec(description) ?? []
    t.ok(ajv.validate(inputSchema, JSON.parse(example)), `${name}: ${ajv.errorsText()}`)
    t.match(description, /\bUse it\b|\bCall it\b/, `${name} says when to use it`)
    t.equal(inputSchema['additionalProperties'], false, name)
    t.equal(outputSchema?.type, 'object', name)
    t.type(annotations?.title, 'string', name)
    for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const)
      t.type(annotations?.[hint], 'boolean', `${name}: ${hint}`)
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
      t.match((schema as { description?: string }).description, /^[A-Z`].{9}/, `${name}: ${argument}`)
  }
  const hinted = (hint: 'readOnlyHint' | 'destructiveHint') => tools.flatMap(({ name, annotations }) => (annotations?.[hint] ? [name] : []))
  t.strictSame(hinted('readOnlyHint'), ['search', 'list_memories', 'list_sessions', 'drift'])
  t.strictSame(hinted('destructiveHint'), ['forget', 'delete_session'])
})

t.test('facts are remembered once, found, listed page by page, and forgotten for good', async (t) => {
  const { as } = await serve(t)
  const { tool } = await as('anna')
  const facts = ['Anna is allergic to peanuts.', 'The boat is moored at pier seven.', 'Miriam plays the cello.']
  const kept = await tool('remember', { texts: facts, user_id: 'anna', importance: null })
  t.match(kept.structured, { session_id: 'default', stored: 3, updated: 0 })
  t.match((await tool('remember', { texts: facts, user_id: 'anna' })).structured, { stored: 0, updated: 3 }, 'the same facts again')

  const found = await tool('search', { query: 'Which food is Anna allergic to?', top_k: 1 })
  t.match(found.structured, { results: [{ text: facts[0], truncated: false, role: 'user', user_id: 'anna' }], retrieval_error: false })
  t.strictSame(JSON.parse(found.text), found.structured, 'clients that show texts alone show the same')

  const first = await tool('list_memories', { limit: 2, max_text_chars: 4 })
  t.match(first.structured, { memories: [{ text: 'Anna', truncated: true }, { text: 'The ' }] })
  const second = await tool('list_memories', { limit: 2, cursor: first.structured['next_cursor'] })
  t.match(second.structured, { memories: [{ text: facts[2], truncated: false }], next_cursor: null })
  await tool('remember', { texts: ['\u{1f600}\u{1f600}!'], session_id: 'faces' })
  t.match((await tool('list_memories', { session_id: 'faces', max_text_chars: 2 })).structured, {
    memories: [{ text: '\u{1f600}\u{1f600}', truncated: true }]
  })

  const [{ memory_hash }] = found.structured['results'] as [{ memory_hash: string }]
  t.strictSame((await tool('forget', { memory_hash })).structured, { session_id: 'default', memory_hash, deleted: true })
  const again = await tool('forget', { memory_hash })
  t.equal(again.isError, true)
  t.match(again.text, /^Memory not found\. It may be forgotten already/)
  t.strictSame((await tool('list_memories', { user_id: 'anna' })).structured['memories'], [
    ...((await tool('list_memories')).structured['memories'] as object[])
  ])
})

t.test('a turn recalls what matters, and drift says why it is what it is', async (t) => {
  const { as } = await serve(t)
  const { tool } = await as('anna', { 'x-session-id': 'trip' })
  await tool('remember', { texts: ['The flight to Lisbon leaves on 3 May at nine.'] })
  t.match((await tool('drift')).structured, { interaction_count: 0, explanation: /nothing to drift from/ })
  const turn = await tool('recall', { message: 'When does my flight to Lisbon leave?' })
  t.match(turn.structured, { session_id: 'trip', turn: 1, context: /leaves on 3 May at nine/, short_circuit: false, drift_phase: 'stable' })
  t.match(turn.text, /leaves on 3 May at nine[^]*\n\nDrift: \d\.\d\d, stable\.$/)
  await tool('recall', { message: 'Which seats do we have on the flight?', previous_answer: 'It leaves at nine in the morning.' })
  const { structured } = await tool('drift')
  t.match(structured, { session_id: 'trip', drift_threshold: 0.5, explanation: /The latest input scored \d\.\d\d/ })
  t.equal((await tool('search', { query: 'nine in the morning', role: 'assistant' })).structured['results'] instanceof Array, true)
})

t.test('sessions are made, listed and deleted, and one that is missing is said to be', async (t) => {
  const { as } = await serve(t)
  const { tool } = await as('anna')
  const made = await tool('create_session', { session_id: 'one' })
  t.strictSame(made.structured, { session_id: 'one', created: true })
  t.match((await tool('create_session', { session_id: 'one' })).text, /^Session already exists\. Nothing was changed: use it as it is\.$/)
  await tool('create_session', { session_id: 'two', use_cortex: true })
  const listed = await tool('list_sessions', { limit: 1 })
  t.match(listed.structured, { sessions: [{ session_id: 'one', total_memories: 0 }], next_cursor: 'one' })
  t.match((await tool('list_sessions', { cursor: 'one' })).structured, { sessions: [{ session_id: 'two' }], next_cursor: null })
  t.strictSame((await tool('delete_session', { session_id: 'two' })).structured, { session_id: 'two', deleted: true })
  for (const [name, given] of [
    ['search', { query: 'anything' }],
    ['list_memories', {}],
    ['drift', {}],
    ['delete_session', {}]
  ] as const) {
    const { isError, text } = await tool(name, { ...given, session_id: 'two' })
    t.ok(isError, name)
    t.match(text, /^Session not found\. Call list_sessions/, name)
  }
})

t.test('what one subject keeps is nothing to another, by any tool or resource', async (t) => {
  const { as } = await serve(t)
  const [anna, bob] = [await as('anna'), await as('bob')]
  await anna.tool('remember', { texts: ['The code of the safe is 4711.'], session_id: 'shared' })
  t.match((await bob.tool('search', { query: 'safe', session_id: 'shared' })).text, /^Session not found/)
  t.strictSame((await bob.tool('list_sessions')).structured, { sessions: [], next_cursor: null })
  t.strictSame((await bob.client.listResources()).resources, [])
  await t.rejects(bob.client.readResource({ uri: 'engram://sessions/shared/memories' }), { code: -32_002 })
  await bob.tool('remember', { texts: ['Nothing to see.'], session_id: 'shared' })
  t.match((await bob.tool('list_memories', { session_id: 'shared' })).structured, {
    memories: [{ text: 'Nothing to see.' }],
    next_cursor: null
  })
  t.strictSame((await bob.tool('search', { query: 'code of the safe', session_id: 'shared' })).structured['results'], [])
  t.match((await bob.tool('delete_session', { session_id: 'shared' })).structured, { deleted: true })
  t.match((await anna.tool('search', { query: 'safe', session_id: 'shared' })).structured, { results: [{ text: /4711/ }] })
})

t.test('arguments that do not fit are named, with what is wanted', async (t) => {
  const { as } = await serve(t)
  const { tool, client } = await as('anna')
  const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['remember', {}, /^texts: is missing, it has to be a list of 1 to 100 items\. Correct the arguments/],
    ['remember', { texts: [] }, /^texts: has to be a list of 1 to 100 items/],
    ['remember', { texts: ['fine', 7] }, /^texts\[1\]: has to be a text/],
    ['remember', { texts: ['fine'], session: 'x' }, /^session: there is no such argument/],
    ['remember', { texts: ['fine'], role: 'king' }, /^role: has to be one of user, assistant, synthetic/],
    ['remember', { texts: ['half \ud800'] }, /^texts\[0\]: has to be a text/],
    ['search', { query: 'x', top_k: 51 }, /^top_k: has to be a whole number of 1 to 50/],
    ['search', { query: 'x', session_id: 'no spaces' }, /^session_id: has to be a text of 1 to 128 characters that matches/],
    ['forget', { memory_hash: 'XYZ' }, /^memory_hash: has to be a text that matches/],
    ['delete_session', {}, /^session_id: is missing/]
  ]
  for (const [name, given, message] of wrong) {
    const { isError, text } = await tool(name, given)
    t.ok(isError, name)
    t.match(text, message, JSON.stringify(given))
  }
  await t.rejects(client.callTool({ name: 'nonsense' }), { code: -32_602, message: /There is no tool nonsense/ })
  await t.rejects(client.getPrompt({ name: 'nonsense' }), { code: -32_602 })
})

t.test('what the service refuses reaches the model with what to do next', async (t) => {
  const { as, url, service } = await serve(t, {
    SERVICE_RATE_LIMIT_PER_MINUTE: '4',
    SERVICE_MAX_MEMORIES: '2',
    SERVICE_BODY_LIMIT_BYTES: '2048'
  })
  const { tool, client } = await as('anna')
  await tool('create_session', { session_id: 'small' })
  const full = await tool('remember', { texts: ['One.', 'Two.', 'Three.'], session_id: 'small' })
  t.match(full.text, /Nothing was changed\. Where the session is full/)
  await t.rejects(tool('remember', { texts: ['long '.repeat(500)] }), /413|too large/i)
  await tool('list_sessions')
  await tool('list_sessions')
  const limited = await tool('list_sessions')
  t.equal(limited.isError, true)
  t.match(limited.text, /^Too many requests\. Wait 60 seconds/)
  t.ok((await client.listTools()).tools.length > 0, 'messages that ask nothing of the service are not counted')

  const unknown = await fetch(`${url}/mcp`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  t.strictSame([unknown.status, await unknown.json()], [401, { detail: 'Missing license token' }])
  const { statusCode } = await service.http.inject({ method: 'POST', url: '/mcp', headers: { authorization: 'Bearer x' }, payload: {} })
  t.equal(statusCode, 401)
})

t.test('only POST is answered, in the way of the protocol, and malformed messages are refused', async (t) => {
  const { url, callerOf } = await serve(t)
  const { token } = await callerOf('anna')
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(`${url}/mcp`, { method, headers })
    t.strictSame([response.status, response.headers.get('allow')], [405, 'POST'], method)
  }
  const send = async (body: string, changed: Record<string, string> = {}) => {
    const response = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...changed }, body })
    return { status: response.status, body: await response.text() }
  }
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  t.strictSame(await send(ping), { status: 200, body: '{"result":{},"jsonrpc":"2.0","id":1}' })
  t.strictSame(await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })), { status: 202, body: '' })
  const refusal = (code: number, id: number | null = null) => ({ jsonrpc: '2.0', id, error: { code, message: /^[^{[\n]+$/ } })
  const refused = async (body: string) => {
    const { status, body: text } = await send(body)
    return { status, ...(JSON.parse(text) as object) }
  }
  for (const text of ['{', '']) t.match(await refused(text), { status: 400, ...refusal(-32_700) }, `no JSON: ${text}`)
  for (const text of ['[]', '5', '{"jsonrpc":"1.0"}', `[${ping}, 5]`])
    t.match(await refused(text), { status: 400, ...refusal(-32_600) }, `no message: ${text}`)
  for (const method of ['tools/call', 'initialize', 'resources/read', 'prompts/get', 'completion/complete'])
    t.match(await refused(JSON.stringify({ jsonrpc: '2.0', id: 7, method })), { status: 200, ...refusal(-32_602, 7) }, method)
  t.match(
    await refused(
      JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'initialize', params: { capabilities: {}, clientInfo: { name: 'a', version: '1' } } })
    ),
    {
      error: { code: -32_602, message: 'params.protocolVersion of initialize is missing or invalid' }
    }
  )
  for (const accept of ['text/html', 'text/event-stream', 'application/jsonx']) t.equal((await send(ping, { accept })).status, 406, accept)
  for (const accept of ['*/*', 'application/json', 'text/html, Application/JSON;q=0.9', 'text/*,application/*'])
    t.equal((await send(ping, { accept })).status, 200, accept)
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list', 'resources/list']) {
    const list = JSON.stringify({ jsonrpc: '2.0', id: 9, method, params: { cursor: 'no such' } })
    t.match(await refused(list), { status: 200, error: { code: -32_602 } }, method)
  }
  t.equal((await send(ping, { 'mcp-protocol-version': '1999-01-01' })).status, 400)
  t.equal((await send(ping, { 'content-type': 'text/plain' })).status, 415)
  t.equal((await send(ping, { 'x-session-id': 'no spaces' })).status, 422)
  const batch = JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
  t.equal((await send(batch)).status, 400)
})

t.test('a client that is cut off frees its place at the door at once', async (t) => {
  let reached = 0
  const intercept = () => {
    reached += 1
    return new Promise<undefined>(() => undefined)
  }
  const rig = await createRig({ lanes: createLanes({ clock: createManualClock(), subjectConcurrency: 2 }), intercept })
  t.teardown(async () => {
    const closed = rig.app.close()
    // The client opens connections in advance; the service would wait a minute for their first requests.
    await until(() => !rig.app.server.listening)
    rig.app.server.closeAllConnections()
    await closed
  })
  const url = await rig.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${await rig.token('anna')}` }
  const [leaving, staying] = [await connectOverHttp(t, url, headers), await connectOverHttp(t, url, headers)]
  const calls = [1, 2].map(() => leaving.tool('recall', { message: 'hello' }))
  await until(() => reached === 2)
  const answered = staying.client.listTools()
  // Its owner has taken both commands and goes on with them; the door has places again.
  const ended = Promise.allSettled(calls)
  await leaving.client.close()
  t.strictSame(
    (await ended).map(({ status }) => status),
    ['rejected', 'rejected']
  )
  t.ok((await answered).tools.length > 0)
})

t.test('the door is there by default, can be left out, and is no part of the schema', async (t) => {
  const { url, logs, callerOf } = await serve(t)
  const { token } = await callerOf('anna')
  const schema = (await (await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } })).json()) as { paths: object }
  t.notOk('/mcp' in schema.paths)
  const { tool } = await connectOverHttp(t, url, { authorization: `Bearer ${token}` })
  await tool('remember', { texts: ['A secret of mine.'] })
  t.ok(logs.some((line) => line.includes('"endpoint":"/mcp"')))
  t.ok(logs.some((line) => line.includes('"endpoint":"/v1/session/{session_id}/memories"')))
  t.notOk(logs.some((line) => line.includes('secret of mine') || line.includes(token)))

  const without = await serve(t, { SERVICE_MCP: '0' })
  t.equal((await fetch(`${without.url}/mcp`, { method: 'POST' })).status, 404)
})

t.test('an anonymous service answers anonymously, under its own names and to no other site', async (t) => {
  const { url } = await serve(t, { SERVICE_ALLOW_ANONYMOUS: '1' })
  const { tool } = await connectOverHttp(t, url, {})
  t.match((await tool('remember', { texts: ['Open to all.'] })).structured, { stored: 1 })
  const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', origin: 'https://elsewhere.example' } }
  t.equal((await fetch(`${url}/mcp`, init)).status, 403)
})

t.test('a person is erased where the service can, and the tool is not offered where it cannot', async (t) => {
  const { as } = await serve(t, {
    SERVICE_COMPLIANCE: '1',
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${t.testdir()}/sessions.db`
  })
  const { tool, client } = await as('anna')
  t.ok((await client.listTools()).tools.some(({ name }) => name === 'forget_user'))
  await tool('remember', { texts: ['Bert likes jazz.', 'Bert lives in Ghent.'], user_id: 'bert' })
  await tool('remember', { texts: ['Carla likes opera.'], user_id: 'carla' })
  t.match((await tool('forget_user', { user_id: 'bert' })).structured, { user_id: 'bert', erased_memories: 2, sessions_affected: 1 })
  t.match((await tool('list_memories')).structured, { memories: [{ text: 'Carla likes opera.' }], next_cursor: null })
  t.match((await tool('forget_user', { user_id: '..' })).text, /nothing was erased/, 'a name that no path can have is not told as unknown')
})
