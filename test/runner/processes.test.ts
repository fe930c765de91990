import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createImportGraph } from './import-graph.js'
import { intoProcesses } from './processes.js'

/** The distribution over processes of files with these texts, as compiled modules. */
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

t.test('files share a process; those that reach other packages, or assertions outside of their file, have one each', async (t) => {
  const files = {
    'test/a.test.ts': 'import "tap";\n',
    'test/b.test.ts': 'import "tap";\nimport "node:fs";\n',
    'test/socket.test.ts': 'import "tap";\nimport "./server.js";\n',
    'test/server.ts': 'import "node:net";\n',
    'test/other.test.ts': 'import "tap";\nimport "commander";\n',
    'test/asserts.test.ts': 'import "tap";\nimport "./cases.js";\n',
    'test/cases.ts': 'import "tap";\n'
  }
  t.strictSame(processesOf(t, files), [
    ['test/a.test.ts', 'test/b.test.ts', 'test/socket.test.ts'],
    ['test/other.test.ts'],
    ['test/asserts.test.ts']
  ])
})

t.test('files that have the service in their process share one; those of thousands of requests do not', async (t) => {
  const files = {
    ...SERVICE,
    'test/one.test.ts': 'import "../src/service.js";\n',
    'test/two.test.ts': 'import "../src/service.js";\n',
    'test/listens.test.ts': 'import "../src/service.js";\nimport "node:net";\n',
    'test/pure.test.ts': 'import "tap";\n',
    'test/random.test.ts': 'import "../src/service.js";\nimport "fast-check";\n'
  }
  t.strictSame(processesOf(t, files), [
    ['test/one.test.ts', 'test/two.test.ts', 'test/listens.test.ts'],
    ['test/random.test.ts'],
    ['test/pure.test.ts']
  ])
})

t.test('what a program reaches that a test starts is not in the process of the test', async (t) => {
  const files = {
    'test/a.test.ts': 'import "tap";\n',
    'test/program.test.ts': 'import "tap";\nimport "./support/built.js";\n',
    'test/support/built.ts': 'import "esbuild";\n'
  }
  t.strictSame(processesOf(t, files), [['test/program.test.ts', 'test/a.test.ts']])
})

t.test('more files than a process takes are spread evenly', async (t) => {
  const tests = Array.from({ length: 42 }, (_, n) => [`test/${String(n).padStart(2, '0')}.test.ts`, 'import "../src/service.js";\n'])
  const parts = processesOf(t, { ...SERVICE, ...(Object.fromEntries(tests) as Record<string, string>) })
  t.strictSame(
    parts.map(({ length }) => length),
    [14, 14, 14]
  )
  t.equal(new Set(parts.flat()).size, 42)
})

t.test('of files that share processes, a long one has fewer beside it', async (t) => {
  const tests = Array.from({ length: 42 }, (_, n) => [`test/${String(n).padStart(2, '0')}.test.ts`, 'import "../src/service.js";\n'])
  const files = { ...SERVICE, ...(Object.fromEntries(tests) as Record<string, string>), 'test/support/postgres.ts': 'import "pg";\n' }
  const parts = processesOf(t, { ...files, 'test/07.test.ts': 'import "../src/service.js";\nimport "./support/postgres.js";\n' })
  t.equal(parts[0]?.[0], 'test/07.test.ts')
  t.ok((parts[0]?.length ?? 0) < 14)
})

t.test('processes that take long, as browsers and servers do, begin first', async (t) => {
  const files = {
    ...SERVICE,
    'test/a.test.ts': 'import "commander";\n',
    'test/b.test.ts': 'import "node:net";\nimport "../src/service.js";\n',
    'test/c.test.ts': 'import "./support/postgres.js";\nimport "commander";\n',
    'test/d.test.ts': 'import "../src/service.js";\nimport "playwright-core";\n',
    'test/support/postgres.ts': 'import "node:child_process";\n'
  }
  t.strictSame(
    processesOf(t, files).flat(),
    ['d', 'c', 'b', 'a'].map((name) => `test/${name}.test.ts`)
  )
})
