/**
 * Cost of an actor: start and stop as their number grows, heap while idle, and asks per second. Run with `node --expose-gc --import tsx
 * bench/actors.ts`.
 */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { type AskActor, createAskActor } from '../actors/asking/ask.js'
import type { Behaviour } from '../actors/behaviour/behaviour.js'
import type { ActorCommand } from '../actors/behaviour/delivery.js'
import { type ActorNode, createNode } from '../actors/node.js'
import { type Catalog, createCatalog } from '../actors/runtime/catalog.js'
import { createAdmission } from '../actors/scheduling/admission.js'
import { createInProcessBus } from '../src/bus/in-process.js'
import { OPERATIONS_IN_FLIGHT_MAX } from '../src/domain/limits.js'
import { atOnce } from '../src/domain/pieces.js'
import { createSystemClock } from '../src/platform/clock.js'
import { createSystemIds } from '../src/platform/random-sources.js'
import type { Logger } from '../src/ports.js'
import { createMemoryStorage } from '../src/storage/memory.js'
import { hostOf } from '../test/support/hosted.js'

/** The measured subject: a behaviour, and commands that create an actor, change it and read it. */
export interface Subject {
  readonly name: string
  readonly behaviour: Behaviour<unknown, ActorCommand, unknown, unknown>
  readonly create: ActorCommand
  readonly write: ActorCommand
  readonly read: ActorCommand
}

const POPULATIONS = [100, 1_000, 10_000]
const DEADLINE_MS = 30_000
const ASKS = 20_000
const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Prints one line per figure. */
async function benchActors(subject: Subject): Promise<void> {
  const cpu = cpus()[0]?.model ?? 'unknown'
  console.log(`${subject.name}: Node ${process.version}, ${cpus().length} × ${cpu}, ${process.platform} ${process.arch}`)
  await measurePopulation(subject, 500)
  const figures = []
  for (const population of POPULATIONS) figures.push(await measurePopulation(subject, population))
  for (const { population, startUs, stopUs, idleBytes } of figures) {
    console.log(
      `${population} actors: start ${startUs.toFixed(1)} µs, stop ${stopUs.toFixed(1)} µs of processor each, ${idleBytes.toFixed(0)} bytes of heap each`
    )
  }
  const [first, last] = [figures[0], figures.at(-1)]
  if (first !== undefined && last !== undefined) {
    const ratio = (a: number, b: number) => (b / a).toFixed(2)
    console.log(
      `${last.population} to ${first.population} actors: start × ${ratio(first.startUs, last.startUs)}, stop × ${ratio(first.stopUs, last.stopUs)}`
    )
  }
  await measureAsks(subject)
}

interface Bench {
  readonly ask: AskActor
  readonly catalog: Catalog
  readonly node: ActorNode
}

async function open(subject: Subject): Promise<Bench> {
  const clock = createSystemClock()
  const bus = createInProcessBus({ clock })
  const admission = createAdmission({ clock, inFlightMax: OPERATIONS_IN_FLIGHT_MAX })
  const tracer = { isEnabled: false, emit: () => {} }
  const common = { clock, logger: SILENT, tracer, admission, counters: { count: () => undefined } }
  const storage = createMemoryStorage({ retains: false })
  const catalog = createCatalog({
    ...common,
    ...hostOf(subject.behaviour),
    storage,
    isShared: false,
    fenced: () => undefined,
    isAwake: () => true,
    owns: () => true,
    activeMax: 1_000_000,
    idleTtlMs: 1_800_000
  })
  const node = createNode({
    ...common,
    catalogs: [catalog],
    bus,
    membership: null,
    sweepMs: 60_000,
    check: () => storage.check(),
    workFinished: async () => {},
    failed: () => {
      throw new Error('The node failed')
    }
  })
  await node.start()
  return { ask: createAskActor({ bus, ids: createSystemIds() }), catalog, node }
}

async function measurePopulation(subject: Subject, population: number) {
  const { ask, catalog, node } = await open(subject)
  const before = heapBytes()
  const started = await costOf(() => inParallel(population, 50, (n) => ask(addressOf(n), subject.create, { deadlineMs: DEADLINE_MS })))
  const idleBytes = (heapBytes() - before) / population
  if (catalog.activeCount !== population) throw new Error(`${catalog.activeCount} actors instead of ${population}`)
  const stopped = await costOf(() => node.drain())
  return { population, startUs: (started.cpuMs * 1_000) / population, stopUs: (stopped.cpuMs * 1_000) / population, idleBytes }
}

async function measureAsks(subject: Subject): Promise<void> {
  const sessions = 100
  const { ask, node } = await open(subject)
  for (let n = 0; n < sessions; n++) await ask(addressOf(n), subject.create, { deadlineMs: DEADLINE_MS })
  for (const [name, command, width] of [
    ['reads, one at a time', subject.read, 1],
    ['writes, one at a time', subject.write, 1],
    ['reads, 50 at a time over 100 actors', subject.read, 50],
    ['writes, 50 at a time over 100 actors', subject.write, 50],
    ['writes, 50 at a time to one actor', subject.write, 50]
  ] as const) {
    const spread = name.endsWith('one actor') ? 1 : sessions
    const { elapsedMs, cpuMs } = await costOf(() =>
      inParallel(ASKS, width, (n) => ask(addressOf(n % spread), command, { deadlineMs: DEADLINE_MS }))
    )
    console.log(`${name}: ${((ASKS * 1_000) / elapsedMs).toFixed(0)} asks/s, ${((cpuMs * 1_000) / ASKS).toFixed(1)} µs of processor each`)
  }
  await node.drain()
}

interface Cost {
  readonly elapsedMs: number
  /** Processor time: the elapsed time on an otherwise idle machine. */
  readonly cpuMs: number
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage()
  const startedAtMs = performance.now()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { elapsedMs: performance.now() - startedAtMs, cpuMs: (user + system) / 1_000 }
}

/** Runs `count` tasks, at most `width` at a time. */
async function inParallel(count: number, width: number, task: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await task(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

function addressOf(n: number) {
  return { kind: 'session', subject: 'bench', id: `session-${n}` } as const
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** The cheapest possible behaviour, so that the figures are the runtime's own. */
const counter: Behaviour<{ count: number }, ActorCommand, void, number> = {
  kind: 'session',
  restore: (_address, { head }) => atOnce(() => ({ count: Number(head) })),
  initiate: async () => ({ state: { count: 0 }, changes: { head: 0, put: [], remove: [] } }),
  missing: () => new Error('Missing'),
  prepare: async () => {},
  *step(state, command) {
    if (command.type !== 'counter.add') return { reply: state.count, changes: null }
    state.count += 1
    return { reply: state.count, changes: { head: state.count, put: [], remove: [] } }
  }
}

const isProgram = process.argv[1] === fileURLToPath(import.meta.url)
if (isProgram) {
  await benchActors({
    name: 'counter',
    behaviour: counter,
    create: { type: 'counter.read' },
    write: { type: 'counter.add' },
    read: { type: 'counter.read' }
  })
}
