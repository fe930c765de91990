import t from 'tap'
import { type AnyStateNode, createMachine } from 'xstate'
import { activePaths, type ChartEdge, type ChartState, flatten, readChart } from '../../machines/chart.js'
import { delaysOf, machineCharts } from '../../machines/charts.js'
import { kindMachines } from '../../machines/kinds.js'
import { toMermaid } from '../../machines/mermaid.js'
import { mindMachine } from '../../machines/mind-machine.js'
import { nodeMachine } from '../../machines/node-machine.js'
import { realignmentMachine } from '../../machines/realignment-machine.js'
import { sharingMachine } from '../../machines/sharing-machine.js'
import { SUPERVISOR_INTENSITY, supervisorMachine } from '../../machines/supervisor-machine.js'
import { watchingMachine } from '../../machines/watching-machine.js'

const MACHINES = [
  ...Object.values(kindMachines),
  mindMachine,
  nodeMachine,
  realignmentMachine,
  sharingMachine,
  watchingMachine,
  supervisorMachine
]
const charts = machineCharts()

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)]
}

/** Every state with its kind, and every transition with its ends, guard and actions, as XState understood them. */
function structureOf(root: AnyStateNode): unknown {
  // A delay is made of functions of XState's own, which have a type as well.
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
  t.test(`chart of ${machine.id}: read back by XState, the same states and transitions`, async (t) => {
    const chart = charts[machine.id]!
    t.strictSame(structureOf(createMachine(JSON.parse(JSON.stringify(chart)) as object).root), structureOf(machine.root))
  })

  t.test(`list of ${machine.id}: as many states and transitions with the same ends as XState has`, async (t) => {
    const listed = flatten(readChart(charts[machine.id]!)).flatMap(({ edges }) => edges.map(endsOf))
    const real = nodesOf(machine.root).flatMap((node) =>
      [...node.transitions.values(), node.always ?? []]
        .flat()
        .map(({ target }) => `${node.path.join('.')} > ${target?.[0]?.path.join('.') ?? 'null'}`)
    )
    t.strictSame(listed.sort(), real.sort())
  })

  t.test(`diagram of ${machine.id}: names every state and every command`, async (t) => {
    const diagram = toMermaid(charts[machine.id]!)
    for (const node of nodesOf(machine.root)) if (node.path.length > 0) t.match(diagram, `state "${node.key}" as ${node.path.join('_')}`)
    for (const { trigger } of flatten(readChart(charts[machine.id]!)).flatMap(({ edges }) => edges))
      t.ok(diagram.includes(trigger.replace(':', '')), trigger)
  })
}

function endsOf({ source, target }: ChartEdge): string {
  return `${source} > ${target ?? 'null'}`
}

t.test('list: a target that does not exist, refused', async (t) => {
  t.throws(() => readChart({ id: 'odd', initial: 'a', states: { a: { on: { go: 'b' } } } }), /no state b/)
})

t.test('active paths: of atomic, nested and parallel values, from the outside in', async (t) => {
  t.strictSame(activePaths('absent'), ['absent'])
  t.strictSame(activePaths({ active: 'settled' }), ['active', 'active.settled'])
  t.strictSame(activePaths({ votes: 'agreed', work: 'idle' }), ['votes', 'votes.agreed', 'work', 'work.idle'])
  t.strictSame(activePaths(undefined), [])
})

/** A state of every kind, with arrows within, out of and between them. */
const SMALL: ChartState = {
  id: 'm',
  initial: 'a',
  on: { reset: '.a' },
  states: {
    a: { on: { go: { target: 'busy', guard: 'isReady', actions: ['note', 'tell'] }, look: { actions: 'note' } } },
    busy: {
      initial: 'c',
      on: { again: '.c', mark: { actions: 'note' }, leave: 'e' },
      states: {
        c: { on: { next: 'd', out: '#m.a' } },
        d: {
          invoke: { src: 'load', onDone: 'c', onError: { actions: 'note' } },
          after: { pause: 'c' },
          always: { guard: { type: 'levelIs', params: { level: 'OPEN', at: {} } }, target: 'c' }
        }
      }
    },
    e: { type: 'final' }
  }
}

t.test('diagram: states within states, what they do from anywhere inside, and each arrow where both of its ends are', async (t) => {
  t.strictSame(toMermaid(SMALL).split('\n'), [
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
  t.strictSame(toMermaid({ id: 'p', type: 'parallel', states: { x: region, y: region } }).split('\n'), [
    'stateDiagram-v2',
    '  state p {',
    ...['    state "x" as x {', '      [*] --> x_on', '      state "on" as x_on', '    }'],
    '    --',
    ...['    state "y" as y {', '      [*] --> y_on', '      state "on" as y_on', '    }'],
    '  }',
    ''
  ])
})

t.test('list: kinds of states, and where a machine without a name is said to be wrong', async (t) => {
  t.strictSame(
    flatten(readChart(SMALL)).map(({ path, name, kind, initial }) => [path, name, kind, initial]),
    [
      ['', 'm', 'compound', 'a'],
      ['a', 'a', 'atomic', null],
      ['busy', 'busy', 'compound', 'c'],
      ['busy.c', 'c', 'atomic', null],
      ['busy.d', 'd', 'atomic', null],
      ['e', 'e', 'final', null]
    ]
  )
  t.equal(readChart({ type: 'parallel', states: { a: {} } }).kind, 'parallel')
  t.throws(() => readChart({ states: { a: { on: { go: '#b' } } } }), /chart of machine has no state b/)
  t.strictSame(activePaths(null), [])
})

t.test('the delays of a machine are told in milliseconds, those that a configuration sets by their defaults', async (t) => {
  t.same(delaysOf('supervisor'), { sweepInterval: 60_000, failureWindow: SUPERVISOR_INTENSITY.windowMs })
  t.same(delaysOf('mind'), {})
  t.same(delaysOf('unknown'), {})
})
