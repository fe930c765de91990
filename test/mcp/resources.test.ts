// Resources, completions and the prompt with the official client.
import t, { type Test } from 'tap'
import { readResource } from '../../src/mcp/resources.js'
import { connectOverHttp } from '../support/mcp-client.js'
import { startService } from '../support/real-service.js'

const PAGE_BYTES_MAX = 65_536

async function serve(t: Test) {
  const { service, as } = await startService(t, { nodes: 1 })
  const url = await service.http.listen({ host: '127.0.0.1', port: 0 })
  const caller = await as('anna')
  return { caller, ...(await connectOverHttp(t, url, { authorization: `Bearer ${caller.token}` })) }
}

interface Page {
  readonly memories: readonly { readonly text: string; readonly truncated: boolean; readonly whole?: string }[]
  readonly next: string | null
}

t.test('the memories of a session are read page by page, each of at most 64 KiB, and none is left out', async (t) => {
  const { client, caller } = await serve(t)
  const long = 'Ω'.repeat(6_000)
  const memories = Array.from({ length: 130 }, (_, index) => ({ text: index === 60 ? long : `${index} ${'word '.repeat(150)}` }))
  await caller.post('/v1/session/create', { session_id: 'long' })
  await caller.post('/v1/session/long/memories', { memories })
  const [resource] = (await client.listResources()).resources
  t.match(resource, { uri: 'engram://sessions/long/memories', title: 'Memories of long', description: '130 memories' })

  const read = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents
    return (content as { readonly text: string }).text
  }
  const texts: string[] = []
  let pages = 0
  let whole: string | undefined
  for (let uri: string | null = resource?.uri ?? null; uri !== null; pages += 1) {
    const text: string = await read(uri)
    t.ok(Buffer.byteLength(text) <= PAGE_BYTES_MAX, `page ${pages}: ${Buffer.byteLength(text)}`)
    const page = JSON.parse(text) as Page
    for (const memory of page.memories) {
      texts.push(memory.text)
      if (memory.truncated) whole = memory.whole
    }
    uri = page.next
  }
  t.ok(pages > 1)
  t.strictSame(
    texts,
    memories.map(({ text }) => text.slice(0, 5_000))
  )
  t.equal((JSON.parse(await read(whole ?? '')) as { text: string }).text, long, 'a text that was cut is whole at its own address')
})

t.test('a resource that does not exist, or cannot, is said to be missing', async (t) => {
  const { client } = await serve(t)
  for (const uri of [
    'engram://sessions/none/memories',
    'engram://sessions/none/memories/0123456789abcdef0123456789abcdef',
    'engram://sessions/../memories',
    'file:///etc/passwd'
  ])
    await t.rejects(client.readResource({ uri }), { code: -32_002, data: { uri } }, uri)
  await t.rejects(client.listResources({ cursor: 'no spaces' }), { code: -32_602, message: /after/ })
})

t.test('session ids are completed from how they begin, in order and no more than a hundred', async (t) => {
  const { client, caller } = await serve(t)
  const { resourceTemplates } = await client.listResourceTemplates()
  t.strictSame(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['engram://sessions/{session_id}/memories{?after}', 'engram://sessions/{session_id}/memories/{memory_hash}']
  )
  const ids = ['-', 'a', 'an', 'ann', 'anna', 'anna-2', 'annz', 'ao', 'zz', ...Array.from({ length: 102 }, (_, index) => `many-${index}`)]
  for (const session_id of ids) await caller.post('/v1/session/create', { session_id })
  const uri = resourceTemplates[0]?.uriTemplate ?? ''
  const completed = async (value: string) =>
    (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'session_id', value } })).completion
  t.strictSame(await completed('ann'), { values: ['ann', 'anna', 'anna-2', 'annz'], hasMore: false })
  t.strictSame(await completed('anna-'), { values: ['anna-2'], hasMore: false })
  t.strictSame(await completed('-'), { values: ['-'], hasMore: false })
  t.strictSame(await completed('nobody'), { values: [], hasMore: false })
  t.strictSame(await completed('no spaces'), { values: [], hasMore: false })
  const many = await completed('many-')
  t.strictSame([many.values.length, many.hasMore], [100, true])
  t.strictSame((await completed('')).values.slice(0, 2), ['-', 'a'])
  const ofPrompt = { ref: { type: 'ref/prompt' as const, name: 'session_memory' }, argument: { name: 'session_id', value: 'zz' } }
  t.strictSame((await client.complete(ofPrompt)).completion.values, ['zz'])
  await t.rejects(client.complete({ ...ofPrompt, ref: { type: 'ref/prompt', name: 'none' } }), { code: -32_602 })
})

t.test('the prompt puts what is remembered before a question', async (t) => {
  const { client, tool } = await serve(t)
  await tool('remember', { texts: ['Anna is allergic to peanuts.', 'The boat is moored at pier seven.'] })
  const prompt = async (given: Record<string, string>) => {
    const [message] = (await client.getPrompt({ name: 'session_memory', arguments: given })).messages
    return (message?.content as { readonly text: string }).text
  }
  t.match(
    await prompt({ question: 'Which food is Anna allergic to?' }),
    /never an instruction:\n- Anna is allergic to peanuts\.[^]*\n\nWhich food/
  )
  t.match(await prompt({}), /- .*(peanuts|pier seven)/)
  await tool('create_session', { session_id: 'empty' })
  t.match(await prompt({ session_id: 'empty' }), /^Nothing is remembered in session empty/)
  await t.rejects(prompt({ session_id: 'none' }), { code: -32_602, message: /Session not found/ })
})

t.test('a page names the next one where there is one, and where not all of it fits', async (t) => {
  const memory = (at: number, length: number) => ({ memory_id: `m${String(at)}`, memory_hash: 'h', text: 'x'.repeat(length) })
  const nextOf = async (lengths: readonly number[], next: string | null) => {
    const call = async () => ({ status: 200, body: { memories: lengths.map((length, at) => memory(at, length)), next } })
    const context = { call, session: 's', key: 'k', signal: new AbortController().signal }
    const page = JSON.parse(await readResource(context, { sessionId: 's' })) as { memories: object[]; next: string | null }
    return [page.memories.length, page.next?.replace('engram://sessions/s/memories?after=', '') ?? null]
  }
  t.same(await nextOf([1, 1], null), [2, null])
  t.same(await nextOf([1, 1], 'm1'), [2, 'm1'])
  t.same(await nextOf([], null), [0, null])
  const many = Array.from({ length: 20 }, () => 5_000)
  t.same(await nextOf(many, null), [12, 'm11'])
})
