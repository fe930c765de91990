/**
 * Cost of a session's state charts: processor time of a run, and heap of an idle actor. Compared with the same run without any chart, and
 * with the rejected designs. Run with `npm run bench:charts` (needs --expose-gc).
 */
import { cpus } from 'node:os'
import { type AnyActorRef, type AnyEventObject, type AnyStateMachine, createActor, createMachine, fromPromise, transition } from 'xstate'
import { chartLogic, StateChart } from '../actors/behaviour/state-chart.js'
import { createActivation, createEntry } from '../actors/runtime/entry.js'
import { type MindEvent, mindMachine, type MindTask, type MindValue } from '../machines/mind-machine.js'
import { kindMachines } from '../machines/kinds.js'
import { readConfig } from '../src/config.js'
import { createService } from '../src/service.js'

/** Goals: processor microseconds of the charts in a run, and bytes of an idle session's actor besides its data. */
const RUN_US_MAX = 60
const IDLE_BYTES_MAX = 12 * 1024

const RUNS = 30_000
const ROUNDS = 5
const ACTORS = 5_000

const START: MindValue = { drift: 'stable', understanding: 'initialization', isolation: 'OPEN', realignment: 'resting' }

/** An event that a run sent to the charts of its session. */
interface Told {
  readonly machine: string
  readonly event: AnyEventObject
}

async function main(): Promise<void> {
  print(`Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  const told = await recordRun()
  print(`A run that drifts tells: ${told.map(({ machine, event }) => `${machine} ${event.type}`).join(', ')}`)
  const none = () => ({ session: { send: () => undefined }, mind: { send: () => undefined } })
  const forms = {
    'no charts': none,
    'a child beside the lifecycle': asChild,
    'regions of the lifecycle': asRegions,
    'pure transitions beside the lifecycle': asTransitions
  }
  const best = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, open] of Object.entries(forms)) best.set(name, Math.min(best.get(name) ?? Infinity, runUs(told, await open())))
  }
  for (const [name, us] of best) print(`${name}: ${us.toFixed(1)} µs of processor time a run`)
  const cost = (best.get('a child beside the lifecycle') ?? NaN) - (best.get('no charts') ?? NaN)
  print(`charts of a run: ${cost.toFixed(1)} µs, of ${String(RUN_US_MAX)}`)
  const bytes = await idleBytes()
  print(`idle session actor with its chart, its activation and its entry: ${bytes.toFixed(0)} bytes, of ${String(IDLE_BYTES_MAX)}`)
  if (cost > RUN_US_MAX || bytes > IDLE_BYTES_MAX) process.exitCode = 1
}

/** Records the events that the session's actor and its chart receive in a turn that drifts, from its first step on. */
async function recordRun(): Promise<Told[]> {
  let told: Told[] = []
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'error'
  })
  const service = await createService(config, {
    inspect(inspected) {
      if (inspected.type !== '@xstate.event') return
      const { logic } = inspected.actorRef as AnyActorRef & { readonly logic: Partial<AnyStateMachine> }
      if (logic.id === 'session' || logic.id === 'mind') told.push({ machine: logic.id, event: inspected.event })
    }
  })
  await service.start()
  const run = (message: string) => service.http.inject({ method: 'POST', url: '/v1/run', payload: { session_id: 's', message } })
  for (let n = 0; n < 6; n++) await run(`prune the roses in March, said gardener ${String(n)}`)
  // With an anchor, so that every region of the chart takes part.
  await service.http.inject({ method: 'POST', url: '/v1/session/s/anchor', payload: { text: 'roses and how to prune them' } })
  told = []
  await run('quarterly earnings of Belgian banks')
  const recorded = [...told]
  await service.close()
  return recorded
}

interface Refs {
  readonly session: { send(event: AnyEventObject): void }
  readonly mind: { send(event: AnyEventObject): void }
}

/** The shipped design. */
async function asChild(): Promise<Refs> {
  const mind = new StateChart<MindValue, MindEvent, MindTask>(mindMachine, START)
  const session = await activate(withoutEffects(kindMachines.session, () => mind))
  return { session, mind: { send: (event) => void mind.tell(event as MindEvent) } }
}

/** The same states as regions within `active`, beside the gate. */
async function asRegions(): Promise<Refs> {
  const { config, implementations } = kindMachines.session
  const { initial, states, invoke: _, ...active } = config.states?.['active'] ?? {}
  const regions = { gate: { initial, states }, ...mindMachine.config.states }
  const own = mindMachine.implementations
  const machine: AnyStateMachine = createMachine(
    { ...config, states: { ...config.states, active: { ...active, type: 'parallel', states: regions } } } as object,
    {
      ...(implementations as object),
      guards: { ...implementations.guards, ...own.guards },
      actions: { ...implementations.actions, ...own.actions }
    } as object
  )
  const session = await activate(withoutEffects(machine))
  return { session, mind: session }
}

/** XState's pure transition function per event, with the snapshot kept in the state. */
async function asTransitions(): Promise<Refs> {
  const session = await activate(withoutEffects(kindMachines.session))
  let snapshot = mindMachine.resolveState({ value: START, context: {} })
  return { session, mind: { send: (event) => void ([snapshot] = transition(mindMachine, snapshot, event as MindEvent)) } }
}

/** Creates the record at once and has no other effects; commits come from the recorded events. */
function withoutEffects(machine: AnyStateMachine, chartOf?: (activation: object) => unknown): AnyStateMachine {
  return machine.provide({
    actors: {
      reading: fromPromise(async () => false),
      creation: fromPromise(async () => 'made'),
      ...(chartOf !== undefined && { chart: chartLogic(mindMachine, chartOf) })
    } as object
  })
}

async function activate(machine: AnyStateMachine, options: object = {}): Promise<AnyActorRef> {
  const actor = createActor(machine, { input: { activation: {} }, ...options }).start()
  actor.send({ type: 'actor.activate' })
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
  if (!actor.getSnapshot().matches('active')) throw new Error('The actor is not active')
  return actor
}

/** Processor microseconds per run. */
function runUs(told: readonly Told[], { session, mind }: Refs): number {
  const started = process.cpuUsage()
  for (let run = 0; run < RUNS; run++) for (const { machine, event } of told) (machine === 'session' ? session : mind).send(event)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / RUNS
}

/** Heap bytes of an actor after one turn, with everything besides the session's own data. */
async function idleBytes(): Promise<number> {
  const parent = createActor(createMachine({ id: 'parent' })).start()
  const kept: unknown[] = []
  const charts = new WeakMap<object, object>()
  const logic = withoutEffects(kindMachines.session, (activation) => charts.get(activation))
  const before = heapBytes()
  for (let n = 0; n < ACTORS; n++) {
    const entry = createEntry({ kind: 'session', subject: 'bench', id: `session-${String(n)}` }, 0)
    const activation = createActivation(entry)
    const chart = new StateChart<MindValue, MindEvent, MindTask>(mindMachine, START)
    charts.set(activation, chart)
    const ref = createActor(logic, { parent, id: String(n), input: { activation } }).start()
    ref.send({ type: 'actor.activate' })
    kept.push({ entry, ref })
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  return (heapBytes() - before) / kept.length
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

await main()
