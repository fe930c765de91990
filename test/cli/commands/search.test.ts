import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { engram } from '../../support/command-line.js'
import { startListening } from '../../support/command-line-service.js'

t.test('search: lines for people, the answer of the service for programs, nothing of another subject', async (t) => {
  const { caller, env, envOf } = await startListening(t)
  await caller.post('/v1/run', { session_id: 'anna', message: 'We fly to Lisbon in May.\u001b[31m' })
  const found = await engram(['search', 'anna', 'Lisbon', 'in', 'May'], { env })
  t.match(found, { code: 0, stdout: /^\d\.\d{3} {2}\d{4}-\d\d-\d\d \d\d:\d\dZ {2}user: We fly to Lisbon in May\./ })
  t.notMatch(found.stdout, '\u001b', 'a memory gives a terminal no orders')
  const json = await engram(['search', 'anna', 'Lisbon', '--json', '--top', '1'], { env })
  t.match(JSON.parse(json.stdout), { session_id: 'anna', results: [{ text: /Lisbon/ }] })
  t.match(await engram(['search', 'anna', 'Lisbon'], { env: await envOf('ben') }), { code: 1, stdout: '', stderr: /not found/i })
})

t.test('search: the token comes from a file or the environment, and a wrong one is exit code 3', async (t) => {
  const { caller, env, url } = await startListening(t)
  await caller.post('/v1/run', { session_id: 'anna', message: 'We fly to Lisbon in May.' })
  const file = join(t.testdir(), 'token')
  writeFileSync(file, `${env.ENGRAM_TOKEN}\n`)
  t.match(await engram(['search', 'anna', 'Lisbon', '--url', url, '--token-file', file]), { code: 0, stdout: /Lisbon/ })
  t.match(await engram(['search', 'anna', 'Lisbon', '--url', url]), { code: 3, stderr: 'Missing license token' })
  const wrong = await engram(['search', 'anna', 'Lisbon'], { env: { ...env, ENGRAM_TOKEN: 'aaa.bbb.ccc' } })
  t.match(wrong, { code: 3, stderr: /^Invalid license/ })
  t.notMatch(wrong.stderr, 'bbb')
})

t.test('search and chat, an argument that no service would take: named as it is typed, exit code 2, nothing is sent', async (t) => {
  const env = { ENGRAM_URL: 'http://127.0.0.1:1' }
  const refused: readonly [readonly string[], string][] = [
    [['search', 'anna', ''], '<query> must have 1 to 200,000 characters.'],
    [['search', '', 'Lisbon'], '<session> must be 1 to 128 letters, digits, _ and -.'],
    [['search', 'an na', 'Lisbon'], '<session> must be'],
    [['search', 'anna', 'Lisbon', '--top', '201'], '--top must be a whole number from 1 to 200.'],
    [['search', 'anna', 'Lisbon', '--top', '1e2'], '--top must be'],
    [['search', 'anna', 'Lisbon', '--user', ''], '--user must have 1 to 128 characters.'],
    [['chat', 'an na'], '[session] must be']
  ]
  for (const [args, stderr] of refused) t.match(await engram(args, { env }), { code: 2, stdout: '', stderr }, args.join(' '))
})
