import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { engram } from '../../support/command-line.js'
import { startListening } from '../../support/command-line-service.js'
import { needs } from '../../support/needs.js'
import { startRedis } from '../../support/redis-server.js'
import { startService } from '../../support/real-service.js'

/** Creates sessions of one subject with a few turns each. */
async function fill(caller: { post(url: string, body: unknown): Promise<unknown> }, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    await caller.post('/v1/run', { session_id: `s${at}`, message: `We fly to Lisbon in May, the ${at}th time.`, user_id: 'ann' })
    await caller.post('/v1/store', { session_id: `s${at}`, response: 'The train takes two hours.' })
  }
}

t.test('backup and restore of a subject: every session is as it was, in another service', async (t) => {
  const from = await startListening(t)
  await fill(from.caller, 5)
  const file = join(t.testdir(), 'anna.backup')
  const backup = await engram(['backup', file, '--json'], { env: from.env })
  t.match(JSON.parse(backup.stdout), { file, sessions: 5, gone: 0, bytes: statSync(file).size })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(await engram(['backup', file], { env: from.env }), { code: 2, stderr: /is there already/ })
  t.match(await engram(['restore', file, '--check'], {}), { code: 0, stdout: /The backup is whole: 5 sessions/ })

  const to = await startListening(t)
  const restored = await engram(['restore', file, '--json'], { env: to.env })
  t.match(JSON.parse(restored.stdout), { restored: 5, kept: 0 })
  t.match(
    restored.stderr,
    /The backup was begun at \d{4}-[\dT:.-]+Z\. What was deleted or erased since then may be back: repeat the erasures\./
  )
  for (let at = 0; at < 5; at++) {
    const path = `/v1/session/s${at}/export`
    t.strictSame((await to.caller.get(path)).body, (await from.caller.get(path)).body)
  }
  t.match(await engram(['restore', file], { env: to.env }), { stdout: '0 sessions were restored, 5 were there already.' })
  t.match(await engram(['restore', file, '--replace'], { env: to.env }), { stdout: '5 sessions were restored, 0 were there already.' })
})

t.test('backup: broken off anywhere, it goes on and gives the same file; of another subject it does not', async (t) => {
  const service = await startListening(t)
  await fill(service.caller, 4)
  const folder = t.testdir()
  const whole = join(folder, 'whole.backup')
  await engram(['backup', whole], { env: service.env })
  const text = readFileSync(whole, 'utf8')
  const lines = text.split('\n')
  for (const bytes of [10, (lines[0]?.length ?? 0) + 1, Math.floor(text.length / 2), text.lastIndexOf('{"type":"end"') - 5]) {
    const file = join(folder, `at-${bytes}.backup`)
    writeFileSync(`${file}.partial`, text.slice(0, bytes))
    const resumed = await engram(['backup', file, '--json'], { env: service.env })
    t.match(JSON.parse(resumed.stdout), { sessions: 4 }, `${bytes} bytes`)
    t.notOk(existsSync(`${file}.partial`))
    // Only the time at which it began may differ.
    t.strictSame(readFileSync(file, 'utf8').split('\n').slice(1, -2), lines.slice(1, -2), `${bytes} bytes`)
    t.match(await engram(['restore', file, '--check'], {}), { code: 0 })
  }
  const file = join(folder, 'other.backup')
  writeFileSync(`${file}.partial`, text.slice(0, text.length / 2))
  t.match(await engram(['backup', file], { env: await service.envOf('ben') }), { code: 1, stderr: /of something else: remove it first/ })
})

t.test('restore: a file that was changed, broken off, of later versions or something else restores nothing', async (t) => {
  const service = await startListening(t)
  await fill(service.caller, 2)
  const folder = t.testdir()
  const file = join(folder, 'anna.backup')
  await engram(['backup', file], { env: service.env })
  const other = await startListening(t)
  const text = readFileSync(file, 'utf8')
  const refusalOf = async (changed: string) => {
    const path = join(folder, 'changed.backup')
    writeFileSync(path, changed)
    const { code, stderr } = await engram(['restore', path], { env: other.env })
    return `${code}: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }
  t.match(await refusalOf(text.replace('Lisbon', 'London')), /^1: The backup was changed, or damaged/)
  t.match(await refusalOf(text.slice(0, -100)), /^1: The backup is not whole/)
  t.match(await refusalOf(text.replace('"version":1', '"version":2')), /^1: The backup is of version 2; this program reads version 1/)
  t.match(await refusalOf('{"a": 1}\n'), /^1: This is no backup of engram/)
  t.match(await refusalOf(''), /^1: The file is empty/)
  t.same((await other.caller.get('/v1/sessions')).body['sessions'], [])
})

t.test('restore: a session that is larger than a body may be is named with the setting', async (t) => {
  const from = await startListening(t)
  await from.caller.post('/v1/run', { session_id: 'large', message: 'word '.repeat(2_000) })
  const file = join(t.testdir(), 'large.backup')
  await engram(['backup', file], { env: from.env })
  const to = await startListening(t, { SERVICE_BODY_LIMIT_BYTES: '4096', SERVICE_IMPORT_LIMIT_BYTES: '4096' })
  t.match(await engram(['restore', file], { env: to.env }), {
    code: 1,
    stderr: /large: .* SERVICE_IMPORT_LIMIT_BYTES of the service has to be \d+ at least/
  })
})

t.test('backup of everything: all kinds, subjects and audit trails, beside the service, into another storage', async (t) => {
  const folder = t.testdir()
  const settings = (name: string) => ({
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${join(folder, name)}`,
    SERVICE_COMPLIANCE: '1'
  })
  const { as } = await startService(t, { nodes: 1, env: settings('from.db') })
  const [anna, ben] = [await as('anna'), await as('ben smith')]
  await fill(anna, 3)
  await fill(ben, 1)
  await anna.post('/v1/cluster/', { cluster_id: 'c1' })
  const file = join(folder, 'all.backup')
  const backup = await engram(['backup', file, '--everything', '--json'], { env: settings('from.db') })
  t.match(backup, { code: 0 })
  t.match(await engram(['backup', join(folder, 'none.backup'), '--everything'], { env: {} }), { code: 78 })
  const nowhere = await engram(['backup', join(folder, 'none.backup'), '--everything'], { env: settings('none.db') })
  t.match(nowhere, { code: 78, stderr: `There is no database at ${join(folder, 'none.db')}.` })
  t.notOk(existsSync(join(folder, 'none.db')) || existsSync(join(folder, 'none.backup.partial')))

  const restored = await engram(['restore', file, '--json'], { env: settings('to.db') })
  t.match(JSON.parse(restored.stdout), { kept: 0, audit_entries: 4 })
  t.match(restored.stderr, /repeat the erasures/)
  const again = JSON.parse((await engram(['restore', file, '--json'], { env: settings('to.db') })).stdout) as {
    restored: number
    kept: number
  }
  t.match(again, { restored: 0, kept: (JSON.parse(restored.stdout) as { restored: number }).restored, audit_entries: 0 })
  const audits = await engram(['verify-audit'], { env: settings('to.db') })
  t.match(audits, { code: 0, stdout: 'anna: 3 entries, ok\n"ben smith": 1 entry, ok\n' })

  const to = await startService(t, { nodes: 1, env: settings('to.db') })
  const annaThere = await to.as('anna')
  for (const id of ['s0', 's1', 's2']) {
    const path = `/v1/session/${id}/export`
    t.strictSame((await annaThere.get(path)).body, (await anna.get(path)).body)
  }
  t.match(await annaThere.get('/v1/cluster/c1'), { status: 200 })
  t.match(await (await to.as('ben smith')).get('/v1/session/s0/export'), { status: 200 })
  t.match((await annaThere.delete('/v1/compliance/users/ann/memory')).body, { erased_memories: 3 }, 'an erasure is repeated')
})

t.test('backup of everything: broken off, it goes on and has each record once', async (t) => {
  const folder = t.testdir()
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` }
  const { as } = await startService(t, { nodes: 1, env })
  await fill(await as('anna'), 4)
  await fill(await as('ben'), 2)
  const whole = join(folder, 'whole.backup')
  await engram(['backup', whole, '--everything'], { env })
  const text = readFileSync(whole, 'utf8')
  const file = join(folder, 'resumed.backup')
  writeFileSync(`${file}.partial`, '')
  appendFileSync(`${file}.partial`, text)
  truncateSync(`${file}.partial`, Math.floor(text.length * 0.7))
  t.match(await engram(['backup', file, '--everything'], { env }), { code: 0 })
  t.strictSame(readFileSync(file, 'utf8').split('\n').slice(1, -2), text.split('\n').slice(1, -2))
})

t.test(
  'backup of everything in a storage that keeps no names: refused as wrong use unless they are given',
  needs('redis-server'),
  async (t) => {
    const server = await startRedis()
    t.teardown(() => server.stop())
    const file = join(t.testdir(), 'all.backup')
    const backup = await engram(['backup', file, '--everything'], { env: { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url } })
    t.match(backup, { code: 2, stderr: /name them with --subject/ })
  }
)
