/** Tests of the client, the command line and the tools for models are used, and the programs that they start run the change. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compileProject } from '../runner/compiled-project.js'
import { createImportGraph } from '../runner/import-graph.js'
import { listTests } from '../runner/test-files.js'
import { projectRoot } from '../support/project-root.js'
import { createKnownTests } from './known-tests.js'
import { createMutatedTree } from './mutated-tree.js'
import { createNearness } from './nearness.js'
import { runProcess } from './processes.js'
import { listSources } from './sources.js'

const ROOT = `${projectRoot()}/`
const compiled = import.meta.url.endsWith('.js') ? fileURLToPath(new URL('../../', import.meta.url)) : await compileProject(ROOT)
const graph = createImportGraph(compiled)

t.test('a source that has a test of its own name is asked about there first', async (t) => {
  const tests = listTests(ROOT)
  const nearness = createNearness(tests, graph)
  let seen = 0
  for (const source of ['src', 'actors', 'machines'].flatMap((folder) => listSources(ROOT, folder))) {
    const own = `test/${source.replace(/^src\//, '').replace(/\.ts$/, '.test.ts')}`
    // A test directly in `test/` covers all folders.
    if (!tests.includes(own) || own.split('/').length === 2) continue
    seen += 1
    t.equal(nearness.of(source)[0], own)
  }
  t.ok(seen > 100, String(seen))
})

t.test('a change in what a program runs is noticed by the test that starts it', { timeout: 240_000 }, async (t) => {
  const folder = t.testdir()
  const place = { cwd: compiled, temporary: join(folder, 'temporary') }
  mkdirSync(place.temporary)
  const test = 'test/cli/commands/license.test.ts'
  const source = 'src/cli/commands/license.ts'
  const known = await createKnownTests({ compiled, graph, folder }).find(test, place)
  const text = readFileSync(join(compiled, source.replace(/\.ts$/, '.js')), 'utf8')
  const at = text.indexOf('signLicense(')
  t.match(known, { isOk: true })
  t.ok(known.reaches(source, at))
  const tree = createMutatedTree(compiled, join(ROOT, '.tap/mutated', `${String(process.pid)}-test`))
  t.teardown(() => tree.remove())
  const run = () => runProcess({ files: [test], compiled: tree.folder, cwd: tree.folder, temporary: tree.temporary, msMax: 60_000 })
  for (const [planted, ending] of [
    [text.replaceAll('signLicense(', 'String('), 'failed'],
    [text, 'passed']
  ] as const) {
    tree.plant(source, planted)
    t.equal(await run(), ending)
  }
})
