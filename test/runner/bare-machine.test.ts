/** `npm test` on a machine without the servers and programs that some tests need: nothing fails, and skipped tests are reported. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { findProgram, PROGRAMS } from '../support/needs.js'
import { programArgs } from '../support/program.js'

/** At least one test for each kind of need. */
const OPERATIONS = ['balancer', 'containers', 'hostile-node', 'outbox-missing', 'monitoring', 'nats-conf', 'shared-rate-limit'].map(
  (name) => `test/operations/${name}`
)
const NAMES = [
  'test/bus/nats/',
  'test/storage/postgres',
  'test/storage/redis',
  ...OPERATIONS,
  'test/nodes',
  'test/local-nodes',
  'test/debug-page/page'
]
/** Hides the paths before `--` and runs the command after it: hidden folders are empty, hidden programs cannot be run. */
const WITHOUT = `
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount --bind "$EMPTY/folder" "$1"; else mount --bind "$EMPTY/file" "$1"; fi || exit 99
  shift
done
shift
exec "$@"`

/** Root of the project, from which tests run; it is compiled already. */
const ROOT = `${process.cwd()}/`

const canHide = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0

t.test(
  'a run without servers and browser skips by name what needs them, and says how to install them',
  { skip: canHide ? false : 'Mount namespaces need unshare and the right to use it', timeout: 900_000 },
  async (t) => {
    const EMPTY = t.testdir({ folder: {}, file: '' })
    const hidden = PROGRAMS.flatMap((name) => {
      const found = findProgram(name)
      if (found === null) return []
      return name === 'initdb' ? [dirname(found)] : [found]
    })
    const { TAP: _, CI: __, CHROMIUM_PATH: ___, ...env } = process.env
    const command = [process.execPath, ...programArgs('test/runner/main.ts'), '--root', ROOT, ...NAMES]
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--map-root-user', '--mount', 'bash', '-c', WITHOUT, 'bash', ...hidden, '--', ...command],
      { env: { ...env, EMPTY }, encoding: 'utf8' }
    )
    t.equal(status, 0, stdout + stderr)
    t.ok(
      hidden.every((path) => statSync(path).size > 0),
      'they are hidden from that run alone'
    )
    t.match(
      stdout,
      /^# skipped: \d{3}: apt-get install chromium-headless-shell docker-compose haproxy nats-server postgresql prometheus redis-server$/m
    )
    t.match(stdout, /^ok test\/storage\/postgres\.test\.ts # 0 passed, [5-9]\d skipped/m, 'each test of its own')
    t.notMatch(stdout, /^not ok/m)
  }
)
