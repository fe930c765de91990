/** The shipped monitoring files are valid and refer to existing metrics. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMetrics, type Metrics } from '../../src/metrics/prometheus.js'
import { needs } from '../support/needs.js'

const FOLDER = 'docs/operations'
const METRIC = /\b(?:service|process)_[a-z_]+\b/g

interface Target {
  readonly expr: string
}

const dashboard = JSON.parse(read(`${FOLDER}/grafana.json`)) as {
  readonly panels: readonly { readonly id: number; readonly type: string; readonly title: string; readonly targets?: readonly Target[] }[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: { readonly query?: string } }[] }
  readonly annotations: { readonly list: readonly Target[] }
}
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const expressions = [...panels.flatMap(({ targets = [] }) => targets), ...dashboard.annotations.list].map(({ expr }) => expr)

function read(path: string): string {
  return readFileSync(path, 'utf8')
}

type Shows = Extract<keyof Metrics, `show${string}`>

/** A source for each method that shows metrics, so that none is forgotten. */
const NOTHING: { readonly [Name in Shows]: Parameters<Metrics[Name]>[0] } = {
  showActors: () => [],
  showMailboxes: () => [],
  showHeldBytes: () => [],
  showHeldHeapBytes: () => [],
  showMemoryBudgets: () => [],
  showPending: () => 0,
  showNodes: () => [],
  showPlacements: () => [],
  showReadiness: async () => true
}

/** Names of all metrics of a node, including the parts of histograms. */
async function namesShown(): Promise<Set<string>> {
  const metrics = createMetrics()
  for (const [name, source] of Object.entries(NOTHING)) (metrics[name as Shows] as (source: unknown) => void)(source)
  const { body } = await metrics.expose()
  const names = [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', kind]) =>
    kind === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  )
  return new Set(names)
}

/** Errors reported by promtool; null if there are none. Without promtool, a message that says so. */
function promtool(...args: string[]): string | null {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { encoding: 'utf8' })
  if (error !== undefined) return `promtool is not installed (${error.message})`
  return status === 0 ? null : stdout + stderr
}

const shown = await namesShown()

t.test('every metric that dashboard, alerts and documents name is one that a node shows', async (t) => {
  const texts = {
    dashboard: JSON.stringify(dashboard),
    alerts: read(`${FOLDER}/alerts.yml`),
    nodes: read('docs/several-nodes.md'),
    decisions: read('docs/decisions/0030-decision-metrics.md')
  }
  for (const [name, text] of Object.entries(texts)) {
    const named = [...new Set(text.match(METRIC))]
    t.ok(named.length > 0, name)
    t.strictSame(
      named.filter((metric) => !shown.has(metric)),
      [],
      name
    )
  }
})

t.test('every metric that a node shows has its place on the dashboard', async (t) => {
  const drawn = new Set(expressions.join(' ').match(METRIC))
  const missing = [...shown].filter((name) => !/_(sum|count)$/.test(name) && !drawn.has(name) && !drawn.has(`${name}_bucket`))
  t.strictSame(missing, [])
})

t.test('dashboard: queries that Prometheus understands, under ids and titles of their own', async (t) => {
  for (const key of ['id', 'title'] as const) t.equal(new Set(panels.map((panel) => panel[key])).size, panels.length, key)
  const filled = expressions.map((expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$node', '.*'))
  t.notMatch(filled.join('\n'), /\$/, 'no other variable')
  const rules = filled.map((expr, index) => ({ record: `panel_${index}`, expr }))
  // JSON is YAML.
  const file = join(t.testdir(), 'rules.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  t.equal(promtool('check', 'rules', file), null, 'rules', needs('promtool'))
})

t.test('metrics, as promtool would name them', async (t) => {
  const metrics = createMetrics()
  metrics.showReadiness(async () => true)
  const { status, stdout, stderr, error } = spawnSync('promtool', ['check', 'metrics'], {
    input: (await metrics.expose()).body,
    encoding: 'utf8'
  })
  t.equal(error ?? status, 0, stdout + stderr, needs('promtool'))
})

t.test('alert rules and the configuration of Prometheus are accepted, and each alert fires when it should', async (t) => {
  t.equal(promtool('check', 'config', `${FOLDER}/prometheus.yml`), null, 'configuration', needs('promtool'))
  t.equal(promtool('test', 'rules', `${FOLDER}/alerts-test.yml`), null, 'alerts', needs('promtool'))
  const alerts = [...read(`${FOLDER}/alerts.yml`).matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  const fired = new Set([...read(`${FOLDER}/alerts-test.yml`).matchAll(/alertname: (\w+)\n\s+exp_alerts/g)].map(([, name]) => name))
  t.strictSame(
    alerts.filter((name) => !fired.has(name)),
    [],
    'none is untested'
  )
})
