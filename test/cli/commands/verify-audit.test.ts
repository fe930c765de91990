/** `engram verify-audit` beside a running service, and on trails that were tampered with. */
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { builtProgram } from '../../support/built.js'
import { LATE_OPTIMISING } from '../../support/program.js'
import { needs } from '../../support/needs.js'
import { startPostgres } from '../../support/postgres.js'
import { startService } from '../../support/real-service.js'
import { askRedis, startRedis } from '../../support/redis-server.js'

const program = await builtProgram('src/cli/engram')

type Environment = Readonly<Record<string, string>>

/** Runs the command. Resolves with its output and exit code. */
async function audit(env: Environment, ...subjects: string[]): Promise<{ code: number; lines: string[]; error: string }> {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
  const args = [...LATE_OPTIMISING, program, 'verify-audit', ...subjects]
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, args, options).then(
    (output) => ({ code: 0, ...output }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string }
  )
  return { code, lines: stdout.split('\n').filter((line) => line !== ''), error: stderr }
}

/** Starts a service with three audit entries of alice and one of bob. */
async function serve(t: Test, env: Environment): Promise<void> {
  const { as } = await startService(t, { env: { SERVICE_COMPLIANCE: '1', ...env } })
  const [alice, bob] = [await as('alice'), await as('bob smith')]
  await alice.post('/v1/run', { session_id: 's', message: 'Hello', user_id: 'ann' })
  await alice.post('/v1/store', { session_id: 's', response: 'Good day', user_id: 'ann' })
  await alice.post('/v1/run', { session_id: 's', message: 'not audited' })
  await bob.post('/v1/run', { session_id: 's', message: 'Hello', user_id: 'ann' })
  await alice.delete('/v1/compliance/users/ann/memory')
}

t.test('verify-audit with SQLite verifies all trails or those named, and names what was tampered with', async (t) => {
  const path = join(t.testdir(), 'sessions.db')
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${path}` }
  await serve(t, env)
  t.strictSame(await audit(env), { code: 0, lines: ['alice: 3 entries, ok', '"bob smith": 1 entry, ok'], error: '' })
  t.strictSame(await audit(env, 'bob smith', 'nobody'), {
    code: 1,
    lines: ['"bob smith": 1 entry, ok', 'nobody: no trail'],
    error: ''
  })

  t.strictSame((await audit(env, '--json', 'alice', 'nobody')).lines, [
    '{"trail":"alice","intact":true,"entries":3}',
    '{"trail":"nobody","intact":false,"problem":"no trail"}'
  ])

  const database = new Database(path)
  t.teardown(() => database.close())
  t.throws(() => database.exec(`delete from audit_entries`), /append-only/)
  database.exec('drop trigger audit_entries_no_update; drop trigger audit_entries_no_delete')
  database.exec(`update audit_entries set entry = replace(entry, '"store"', '"run"') where seq = 2`)
  t.strictSame(await audit(env), { code: 1, lines: ['alice: broken: entry 2 was changed', '"bob smith": 1 entry, ok'], error: '' })
})

t.test('verify-audit makes no database, and finding nothing is no success', async (t) => {
  const path = join(t.testdir({ 'empty.db': '' }), 'missing.db')
  const at = (path: string) => ({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${path}` })
  t.strictSame(await audit(at(path)), { code: 78, lines: [], error: `There is no database at ${path}.\n` })
  t.notOk(existsSync(path))
  const empty = path.replace('missing', 'empty')
  t.match(await audit(at(empty), 'alice'), { code: 78, lines: [] })
  t.equal(statSync(empty).size, 0)

  const { service } = await startService(t, { env: at(path), nodes: 1 })
  t.match(await service.http.inject('/v1/health'), { statusCode: 200 })
  t.strictSame(await audit(at(path)), { code: 1, lines: [], error: 'No audit trail was found.\n' })
})

t.test('verify-audit with PostgreSQL names what was tampered with', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  const url = await server.createDatabase()
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url }
  await serve(t, env)
  await t.rejects(server.run(url, 'truncate audit_entries'), /append-only/)
  await server.run(url, 'drop trigger audit_entries_append_only on audit_entries')
  await server.run(url, `delete from audit_entries where seq = 1`)
  t.strictSame(await audit(env), {
    code: 1,
    lines: ['alice: broken: entry 1 is missing', '"bob smith": broken: entry 1 is missing'],
    error: ''
  })
})

t.test('verify-audit with Redis names what was tampered with', needs('redis-server'), async (t) => {
  const server = await startRedis()
  t.teardown(() => server.stop())
  const env = { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }
  await serve(t, env)
  const all = await audit(env)
  t.equal(all.code, 0)
  t.strictSame(all.lines.map((line) => line.replace(/^[\w-]{43}/, 'hash')).sort(), ['hash: 1 entry, ok', 'hash: 3 entries, ok'])
  const [key = ''] =
    /engram:\S*:audit:entries/.exec(
      await askRedis(
        server,
        `EVAL "for _, key in ipairs(redis.call('KEYS', '*:audit:entries')) do if redis.call('LLEN', key) == 3 then return key end end" 0`
      )
    ) ?? []
  await askRedis(server, `LPOP ${key}`)
  t.strictSame(await audit(env, 'alice', 'bob smith'), {
    code: 1,
    lines: ['alice: broken: entry 1 was changed', '"bob smith": 1 entry, ok'],
    error: ''
  })
})

t.test('verify-audit without a durable backend or with bad variables says so', async (t) => {
  t.match(await audit({}), { code: 78, lines: [], error: /kept in memory only/ })
  t.match(await audit({}, '--nonsense'), { code: 2, error: /nonsense/ })
  const folder = t.testdir({ nowhere: {} })
  const unreachable = await audit({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${folder}/nowhere` })
  t.match(unreachable, { code: 78, lines: [], error: /^DATABASE_URL cannot be used/ })
  t.notMatch(unreachable.error, /nowhere/)
})
