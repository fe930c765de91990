/** Files of `docs/machines`: every machine as a diagram, and as data for visualizers. */
import type { ChartState } from '../../machines/chart.js'
import { delaysOf, type Invocation, machineCharts, machineConfigs, type StateConfig } from '../../machines/charts.js'
import { toMermaid } from '../../machines/mermaid.js'

/** One line per machine on what it decides. A machine without one is refused, so that the list stays complete. */
const PURPOSES: Readonly<Record<string, string>> = {
  session: 'A session: one conversation, in memory while it is used and in the storage always.',
  cluster: 'A cluster: sessions that share what they know.',
  region: 'A region: clusters that are pulled together when they drift apart.',
  observer: 'The observer of a subject: samples its regions, and notes what is odd.',
  network: "A subject's network: its user partitions, and what they decide together.",
  supervisor: 'Watches the actors of one kind, gives up when failures come too thick, and holds them to the idle time and the cap.',
  node: 'The root of the supervision tree: start, service, drain, end.',
  membership: 'How a node belongs to the others: joining, up, unfit without its storage, isolated, draining, left.',
  mind: 'What a session makes of its conversation: drift, understanding, isolation, and the pull back to its anchors.',
  sharing: 'How a cluster shares: whether its members are pulled at all, and the feedback on its way to them.',
  realignment: "What a region makes of its clusters' drifts: how far their votes have come, and what its realignment is at.",
  watching: 'What an observer is at: whether it looks at its regions now, and which kinds of anomalies there are.'
}

/** Returns texts by file name, in a stable order. Deterministic. */
export function machineFiles(): ReadonlyMap<string, string> {
  const charts = machineCharts()
  const diagrams = charts.map((chart): [string, string] => [`${chart.key}.mmd`, toMermaid(chart)])
  const data = [...machineConfigs()].map(([id, config]): [string, string] => [
    `${id}.json`,
    `${JSON.stringify(toRunnable(config, delaysOf(id)), null, 2)}\n`
  ])
  return new Map([...diagrams, ...data, ['README.md', indexOf(charts)]])
}

/** Removes what only the code has: delays become numbers, and effects become the events that end them. */
function toRunnable({ invoke, after, states, ...rest }: StateConfig, delays: Readonly<Record<string, number>>): object {
  const invocations: readonly Invocation[] = invoke === undefined ? [] : [invoke].flat()
  const ends = invocations.flatMap(({ src, onDone, onError }) => [
    ...(onDone === undefined ? [] : [[`xstate.done.actor.${src}`, onDone] as const]),
    ...(onError === undefined ? [] : [[`xstate.error.actor.${src}`, onError] as const])
  ])
  return {
    ...rest,
    ...(invocations.length > 0 && { description: `Runs ${invocations.map(({ src }) => src).join(' and ')}.` }),
    ...((rest.on !== undefined || ends.length > 0) && { on: { ...rest.on, ...Object.fromEntries(ends) } }),
    ...(after !== undefined && { after: Object.fromEntries(Object.entries(after).map(([name, to]) => [delays[name] ?? name, to])) }),
    ...(states !== undefined && {
      states: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, toRunnable(state, delays)]))
    })
  }
}

function indexOf(charts: readonly ChartState[]): string {
  const sections = charts.flatMap((chart) => [
    `## ${chart.key}`,
    '',
    purposeOf(chart.key),
    '',
    '```mermaid',
    toMermaid(chart).trimEnd(),
    '```',
    ''
  ])
  return [
    '# State machines',
    '',
    'Written by `npm run machines` from `machines/`; a test keeps them equal. Each is here as a diagram (`.mmd`) and as JSON, which',
    '`createMachine` of XState 5 starts and the editor of Stately imports. The JSON holds states, transitions, delays in milliseconds and',
    'the names of guards and actions; what those do stays in the code. An effect that a state runs is in its description, and ends with the',
    'event that XState gives it.',
    '',
    ...sections
  ].join('\n')
}

function purposeOf(name: string): string {
  const purpose = PURPOSES[name]
  if (purpose === undefined) throw new Error(`The machine ${name} has no line that says what it is for`)
  return purpose
}
