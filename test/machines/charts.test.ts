import t from 'tap'
import { type AnyStateNode, createMachine } from 'xstate'
import { activePaths, type ChartState, flatten, readChart } from '../../machines/chart.js'
import { delaysOf, machineCharts, machineConfigs } from '../../machines/charts.js'
import { kindMachines } from '../../machines/kinds.js'
import { membershipMachine } from '../../machines/membership-machine.js'
import { toMermaid } from '../../machines/mermaid.js'
import { mindMachine } from '../../machines/mind-machine.js'
import { nodeMachine } from '../../machines/node-machine.js'
import { realignmentMachine } from '../../machines/realignment-machine.js'
import { sharingMachine } from '../../machines/sharing-machine.js'
import { SUPERVISOR_INTENSITY, supervisorMachine } from '../../machines/supervisor-machine.js'
import { watchingMachine } from '../../machines/watching-machine.js'

const MACHINES = [
  ...Object.values(kindMachines),
  membershipMachine,
  mindMachine,
  nodeMachine,
  realignmentMachine,
  sharingMachine,
  watchingMachine,
  supervisorMachine
]
const charts = machineCharts()
const configs = machineConfigs()

function chartOf(id: string): ChartState {
  const chart = charts.find(({ key }) => key === id)
  if (chart === undefined) throw new Error(`No chart of ${id}`)
  return chart
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)]
}

/** All states with their kinds, and all transitions with their ends, guards and actions, as XState parsed them. */
function structureOf(root: AnyStateNode): unknown {
  // Delays consist of functions of XState, which have a type as well.
  const nameOf = (entry: unknown): unknown =>
    (typeof entry === 'object' || typeof entry === 'function') && entry !== null && 'type' in entry ? entry.type : entry
  return nodesOf(root).map((node) => ({
    path: node.path.join('.'),
    type: node.type,
    transitions: [...node.transitions.values(), node.always ?? []].flat().map(({ eventType, target, guard, actions, reenter }) => ({
      eventType: eventType as string,
      to: target?.map(({ path }) => path.join('.')),
      guard: nameOf(guard),
      actions: actions.map(nameOf),
      reenter
    })),
    invoke: node.invoke.map(({ src }) => nameOf(src)),
    entry: node.entry.map(nameOf),
    exit: node.exit.map(nameOf)
  }))
}

for (const machine of MACHINES) {
  t.test(`configuration of ${machine.id}: read back by XState, the same states and transitions`, async (t) => {
    const config = configs.get(machine.id)
    t.strictSame(structureOf(createMachine(JSON.parse(JSON.stringify(config)) as object).root), structureOf(machine.root))
  })

  t.test(`chart of ${machine.id}: as many states and transitions with the same ends as XState has`, async (t) => {
    const listed = flatten(chartOf(machine.id)).flatMap(({ path, transitions }) =>
      transitions.map(({ target }) => `${path} > ${target ?? 'null'}`)
    )
    const real = nodesOf(machine.root).flatMap((node) =>
      [...node.transitions.values(), node.always ?? []]
        .flat()
        .map(({ target }) => `${node.path.join('.')} > ${target?.[0]?.path.join('.') ?? 'null'}`)
    )
    t.strictSame(listed.sort(), real.sort())
  })

  t.test(`chart of ${machine.id}: says what XState adds itself in words`, async (t) => {
    for (const { entry, exit, transitions } of flatten(chartOf(machine.id))) {
      const names = [...entry, ...exit, ...transitions.flatMap(({ event, actions }) => [event, ...actions])]
      t.same(
        names.filter((name) => name === '' || name.startsWith('xstate') || name.includes('.0.')),
        []
      )
    }
  })

  t.test(`diagram of ${machine.id}: names every state and every event`, async (t) => {
    const diagram = toMermaid(chartOf(machine.id))
    for (const node of nodesOf(machine.root)) if (node.path.length > 0) t.match(diagram, `state "${node.key}" as ${node.path.join('_')}`)
    for (const { event } of flatten(chartOf(machine.id)).flatMap(({ transitions }) => transitions)) t.ok(diagram.includes(event), event)
  })
}

t.test('active paths: of atomic, nested and parallel values, from the outside in', async (t) => {
  t.strictSame(activePaths('absent'), ['absent'])
  t.strictSame(activePaths({ active: 'settled' }), ['active', 'active.settled'])
  t.strictSame(activePaths({ votes: 'agreed', work: 'idle' }), ['votes', 'votes.agreed', 'work', 'work.idle'])
  t.strictSame(activePaths(undefined), [])
  t.strictSame(activePaths(null), [])
})

/** A chart with a state of every kind and arrows within, out of and between them. */
const SMALL = createMachine({
  id: 'm',
  initial: 'a',
  on: { reset: '.a', 'xstate.done.actor.*': { actions: 'note' }, 'xstate.error.actor.child': { actions: 'note' } },
  states: {
    a: { on: { go: { target: 'busy', guard: 'isReady', actions: ['note', 'tell'] }, look: { actions: 'note' } } },
    busy: {
      initial: 'c',
      entry: ['note', 'tell'],
      on: { again: '.c', mark: { actions: 'note' }, leave: 'e' },
      states: {
        c: { on: { next: 'd', out: '#m.a' } },
        d: {
          exit: 'note',
          invoke: { src: 'load', onDone: 'c', onError: { actions: 'note' } },
          after: { pause: 'c' },
          always: { guard: { type: 'levelIs', params: { level: 'OPEN', at: {} } }, target: 'c' }
        }
      }
    },
    e: { type: 'final' }
  }
})

t.test('diagram: states within states, what they do from anywhere inside, and each arrow where both of its ends are', async (t) => {
  t.strictSame(toMermaid(readChart(SMALL.root)).split('\n'), [
    'stateDiagram-v2',
    '  [*] --> a',
    '  state "a" as a',
    '  a : look / note',
    '  state "busy" as busy {',
    '    [*] --> busy_c',
    '    state "c" as busy_c',
    '    state "d" as busy_d',
    '    busy_d : failed load / note',
    '    state "in any state" as busy_any',
    '    busy_any : mark / note',
    '    busy_any --> busy_c : again',
    '    busy_c --> busy_d : next',
    '    busy_d --> busy_c : at once [levelIs OPEN]',
    '    busy_d --> busy_c : done load',
    '    busy_d --> busy_c : after pause',
    '  }',
    '  state "e" as e',
    '  state "in any state" as any',
    '  any : done any child / note',
    '  any : failed child / note',
    '  any --> a : reset',
    '  a --> busy : go [isReady] / note, tell',
    '  busy --> e : leave',
    '  busy_c --> a : out',
    '  e --> [*]',
    ''
  ])
})

t.test('diagram: regions side by side stand in a state, divided by lines', async (t) => {
  const region = { initial: 'on', states: { on: {} } }
  const machine = createMachine({ id: 'p', type: 'parallel', states: { x: region, y: region } })
  t.strictSame(toMermaid(readChart(machine.root)).split('\n'), [
    'stateDiagram-v2',
    '  state p {',
    ...['    state "x" as x {', '      [*] --> x_on', '      state "on" as x_on', '    }'],
    '    --',
    ...['    state "y" as y {', '      [*] --> y_on', '      state "on" as y_on', '    }'],
    '  }',
    ''
  ])
})

t.test('chart: states by their place and kind, with what they do when they are entered and left', async (t) => {
  t.strictSame(
    flatten(readChart(SMALL.root)).map(({ path, key, type, initial, entry, exit }) => [path, key, type, initial, entry, exit]),
    [
      ['', 'm', 'compound', 'a', [], []],
      ['a', 'a', 'atomic', null, [], []],
      ['busy', 'busy', 'compound', 'c', ['note', 'tell'], []],
      ['busy.c', 'c', 'atomic', null, [], []],
      ['busy.d', 'd', 'atomic', null, [], ['note']],
      ['e', 'e', 'final', null, [], []]
    ]
  )
  const parallel = readChart(createMachine({ type: 'parallel', states: { a: {} } }).root)
  t.strictSame([parallel.type, parallel.initial], ['parallel', null])
})

t.test('chart: transitions in the order in which they are tried, with their guards and actions', async (t) => {
  const transitionsOf = (path: string) => flatten(readChart(SMALL.root)).find((state) => state.path === path)?.transitions
  t.strictSame(transitionsOf('a'), [
    { event: 'go', target: 'busy', guard: 'isReady', actions: ['note', 'tell'] },
    { event: 'look', target: null, guard: null, actions: ['note'] }
  ])
  t.strictSame(transitionsOf('busy.d'), [
    { event: 'at once', target: 'busy.c', guard: 'levelIs OPEN', actions: [] },
    { event: 'done load', target: 'busy.c', guard: null, actions: [] },
    { event: 'failed load', target: null, guard: null, actions: ['note'] },
    { event: 'after pause', target: 'busy.c', guard: null, actions: [] }
  ])
})

t.test('the delays of a machine are told in milliseconds, those that a configuration sets by their defaults', async (t) => {
  t.same(delaysOf('supervisor'), { sweepInterval: 60_000, failureWindow: SUPERVISOR_INTENSITY.windowMs })
  t.same(delaysOf('mind'), {})
  t.same(delaysOf('unknown'), {})
})
