import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { engram } from '../../support/command-line.js'
import { startListening } from '../../support/command-line-service.js'

type Listed = { readonly memories: readonly { readonly text: string; readonly role: string; readonly timestamp: number }[] }

/** Lines of two conversations, alternating, with times. */
function chatOf(count: number): string {
  return Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      session_id: `s${at % 2}`,
      role: at % 4 < 2 ? 'user' : 'assistant',
      content: `Sentence number ${at}`,
      timestamp: 1_700_000_000 + at
    })
  ).join('\n')
}

t.test('import: counts exactly, keeps roles and times, and a second time changes nothing', async (t) => {
  const { caller, env } = await startListening(t)
  const folder = t.testdir({
    'chat.jsonl': `${chatOf(20)}\n${JSON.stringify({ session_id: 's0', role: 'system', content: 'Be brief' })}\n`
  })
  const file = join(folder, 'chat.jsonl')
  const dry = await engram(['import', file, '--dry-run', '--json'])
  t.strictSame(JSON.parse(dry.stdout), { dry_run: true, read: 21, memories: 20, sessions: 2, skipped: { 'system or tool message': 1 } })
  t.equal((await caller.get('/v1/sessions')).body['sessions'] instanceof Array, true)

  const expected = { dry_run: false, read: 21, memories: 20, sessions: 2, stored: 20, known: 0, skipped: { 'system or tool message': 1 } }
  t.strictSame(JSON.parse((await engram(['import', file, '--json'], { env })).stdout), expected)
  const first = (await caller.get('/v1/session/s0/memories')).body as unknown as Listed
  t.equal(first.memories.length, 10)
  t.match(first.memories[1], { text: 'Sentence number 2', role: 'assistant', timestamp: 1_700_000_002 })

  const again = await engram(['import', file], { env })
  t.match(again, { code: 0, stdout: /21 items became 20 memories in 2 sessions\.\n0 are new, 20 were there already\./ })
  t.strictSame((await caller.get('/v1/session/s0/memories')).body, first)
})

t.test('import: killed in the middle, the same command goes on and counts all of it', async (t) => {
  const { caller, env } = await startListening(t)
  const folder = t.testdir({ 'chat.jsonl': chatOf(4_000) })
  const file = join(folder, 'chat.jsonl')
  const state = `${file}.engram-import`
  // Killed after the first checkpoint, with most of the work left.
  const killed = await engram(['import', file], { env, watch: (child, said) => said.includes('25%') && child.kill('SIGKILL') })
  t.equal(killed.signal, 'SIGKILL')
  const { counts } = JSON.parse(readFileSync(state, 'utf8')) as { readonly counts: { readonly read: number } }
  t.ok(counts.read >= 1_000 && counts.read < 4_000, `${counts.read} were dealt with`)
  const rest = JSON.parse((await engram(['import', file, '--json'], { env })).stdout) as { stored: number; known: number; read: number }
  t.equal(rest.read, 4_000)
  t.equal(rest.stored + rest.known, 4_000)
  t.notOk(existsSync(state), 'nothing is left of it')
  const { body } = await caller.get('/v1/sessions')
  t.match(body['sessions'], [
    { session_id: 's0', total_memories: 2_000 },
    { session_id: 's1', total_memories: 2_000 }
  ])
})

t.test('import: where its progress cannot be kept, it says so and imports nothing', async (t) => {
  const { caller, env } = await startListening(t)
  const folder = t.testdir({ 'chat.jsonl': chatOf(3), 'chat.jsonl.engram-import.new': {} })
  const result = await engram(['import', join(folder, 'chat.jsonl')], { env })
  t.match(result, { code: 2, stderr: /chat\.jsonl\.engram-import is a folder\.\n$/ })
  t.strictSame((await caller.get('/v1/sessions')).body['sessions'], [])
})

t.test('import: a broken line imports nothing, and what the service would refuse is left out by its reason', async (t) => {
  const { caller, env } = await startListening(t)
  const folder = t.testdir({
    'broken.jsonl': `${chatOf(3)}\n{`,
    'odd.json': JSON.stringify([
      { role: 'user', content: 'nul \0 nul' },
      { role: 'user', content: 'x'.repeat(200_001) },
      { role: 'pope', content: 'x' },
      { role: 'user', content: 'x', user_id: '🦉'.repeat(129) },
      { role: 'user', content: 'x', user_id: 'nul \0 nul' }
    ]),
    'owls.json': JSON.stringify([{ role: 'user', content: 'Owls hunt at night.', user_id: '🦉'.repeat(128) }])
  })
  t.match(await engram(['import', join(folder, 'broken.jsonl')], { env }), { code: 1, stderr: 'Line 4 is no JSON.' })
  t.same((await caller.get('/v1/sessions')).body['sessions'], [])
  const odd = await engram(['import', join(folder, 'odd.json'), '--json'], { env })
  t.match(JSON.parse(odd.stdout), {
    memories: 0,
    skipped: {
      'text that cannot be stored': 1,
      'longer than a memory may be': 1,
      'unknown role': 1,
      'user id longer than one may be': 1,
      'user id that cannot be stored': 1
    }
  })
  const owls = join(folder, 'owls.json')
  t.match(JSON.parse((await engram(['import', owls, '--json'], { env })).stdout), { memories: 1, stored: 1 }, 'as the service counts them')
  t.match(await engram(['import', owls, '--user', '🦉'.repeat(128)], { env }), { code: 0 })
  t.match(await engram(['import', owls, '--user', '🦉'.repeat(129)], { env }), { code: 2, stderr: /--user must have 1 to 128/ })
  t.match(
    await engram(['import', join(folder, 'odd.json')], { env: { ...env, ENGRAM_TOKEN: 'not.a.token' } }),
    { code: 0 },
    'nothing to send'
  )
})
