import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createImportGraph } from './import-graph.js'
import { intoProcesses } from './processes.js'

/** How files with these texts are put into processes, as compiled modules. */
function processesOf(t: Test, files: Readonly<Record<string, string>>): string[][] {
  const folder = t.testdir()
  for (const [path, text] of Object.entries(files)) {
    for (const name of [path, path.replace(/\.ts$/, '.js')]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  const tests = Object.keys(files).filter((path) => path.endsWith('.test.ts'))
  return intoProcesses(tests, createImportGraph(folder))
}

const SERVICE = { 'src/service.ts': 'import "node:net";\nimport "pg";\n' }

t.test('files that reach sockets have a process each; those that do not share one', async (t) => {
  const files = {
    'test/a.test.ts': 'import "tap";\n',
    'test/b.test.ts': 'import "tap";\nimport "node:fs";\n',
    'test/socket.test.ts': 'import "tap";\nimport "./server.js";\n',
    'test/server.ts': 'import "node:net";\n',
    'test/asserts.test.ts': 'import "tap";\nimport "./cases.js";\n',
    'test/cases.ts': 'import "tap";\n'
  }
  t.strictSame(processesOf(t, files), [['test/a.test.ts', 'test/b.test.ts'], ['test/socket.test.ts'], ['test/asserts.test.ts']])
})

t.test('files that have the service in their process share one; those that open something beside it do not', async (t) => {
  const files = {
    ...SERVICE,
    'test/one.test.ts': 'import "../src/service.js";\n',
    'test/two.test.ts': 'import "../src/service.js";\n',
    'test/listens.test.ts': 'import "../src/service.js";\nimport "node:net";\n',
    'test/pure.test.ts': 'import "tap";\n',
    'test/random.test.ts': 'import "../src/service.js";\nimport "fast-check";\n'
  }
  t.strictSame(processesOf(t, files), [
    ['test/one.test.ts', 'test/two.test.ts'],
    ['test/listens.test.ts'],
    ['test/random.test.ts'],
    ['test/pure.test.ts']
  ])
})

t.test('more files than a process takes are spread evenly', async (t) => {
  const tests = Array.from({ length: 18 }, (_, n) => [`test/${String(n).padStart(2, '0')}.test.ts`, 'import "../src/service.js";\n'])
  const parts = processesOf(t, { ...SERVICE, ...(Object.fromEntries(tests) as Record<string, string>) })
  t.strictSame(
    parts.map(({ length }) => length),
    [6, 6, 6]
  )
  t.equal(new Set(parts.flat()).size, 18)
})

t.test('processes that take long, as browsers and servers do, begin first', async (t) => {
  const files = {
    ...SERVICE,
    'test/a.test.ts': 'import "tap";\n',
    'test/b.test.ts': 'import "node:net";\nimport "../src/service.js";\n',
    'test/c.test.ts': 'import "./support/postgres.js";\n',
    'test/d.test.ts': 'import "../src/service.js";\nimport "playwright-core";\n',
    'test/support/postgres.ts': 'import "node:child_process";\n'
  }
  t.strictSame(
    processesOf(t, files).flat(),
    ['d', 'c', 'b', 'a'].map((name) => `test/${name}.test.ts`)
  )
})
