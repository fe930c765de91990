/** A node with one catalog of the list behaviour, on a manual clock. */
import { createAskActor } from '../../actors/asking/ask.js'
import { createNode, type InspectActors, type NodeOptions } from '../../actors/node.js'
import { createCatalog } from '../../actors/runtime/catalog.js'
import { createAdmission } from '../../actors/scheduling/admission.js'
import type { NodeBudget } from '../../actors/weight/node-budget.js'
import { createInProcessBus } from '../../src/bus/in-process.js'
import type { Occurrence } from '../../src/domain/commands/occurrences.js'
import { isDomainError } from '../../src/domain/errors.js'
import { createSystemIds } from '../../src/platform/random-sources.js'
import type { ActorStorage, Bus, DebugEvent, Logger } from '../../src/ports.js'
import type { Spans } from '../../src/spans.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { hostOf } from './hosted.js'
import { createListBehaviour, type ListCommand, type ListOptions, type ListReply } from './list-behaviour.js'
import { createManualClock, type ManualClock } from './manual-clock.js'
import { unlimitedBudget } from './unlimited-budget.js'

export interface RuntimeOptions extends ListOptions {
  readonly storage?: ActorStorage
  readonly clock?: ManualClock
  readonly activeMax?: number
  readonly idleTtlMs?: number
  readonly sweepMs?: number
  readonly inFlightMax?: number
  readonly subjectMax?: number
  readonly subjectActiveMax?: number
  readonly subjectBytesMax?: number
  readonly isTraced?: boolean
  readonly isShared?: boolean
  readonly isAwake?: () => boolean
  readonly owns?: (id: string) => boolean
  readonly budget?: NodeBudget
  readonly membership?: NodeOptions['membership']
  readonly inspect?: InspectActors
  readonly spans?: Spans
}

export interface LogLine {
  readonly level: keyof Logger
  readonly fields: object
  readonly message: string
}

export type Runtime = Awaited<ReturnType<typeof startRuntime>>

/** Starts a node; the test owns its clock. */
export async function startRuntime(options: RuntimeOptions = {}) {
  const clock = options.clock ?? createManualClock()
  const storage = options.storage ?? createMemoryStorage({ retains: true })
  const bus = cloning(createInProcessBus({ clock }))
  const lines: LogLine[] = []
  const logger = collectingLogger(lines)
  const events: DebugEvent[] = []
  const tracer = { isEnabled: options.isTraced ?? false, emit: (event: DebugEvent) => void events.push(event) }
  const { inFlightMax = 200, subjectMax = inFlightMax } = options
  const admission = createAdmission({ clock, inFlightMax, subjectMax })
  const calls = { workFinished: 0, failed: 0, fenced: 0 }
  const counted: Occurrence[] = []
  const catalog = createCatalog({
    ...hostOf(createListBehaviour(options), {
      isShared: options.isShared ?? false,
      budget: options.budget ?? unlimitedBudget(),
      spans: options.spans
    }),
    storage,
    clock,
    logger,
    tracer,
    counters: { count: (occurrence) => void counted.push(occurrence) },
    admission,
    fenced: () => void (calls.fenced += 1),
    isAwake: options.isAwake ?? (() => true),
    owns: ({ id }) => options.owns?.(id) !== false,
    activeMax: options.activeMax ?? 10_000,
    ...(options.subjectActiveMax !== undefined && { subjectActiveMax: options.subjectActiveMax }),
    ...(options.subjectBytesMax !== undefined && { subjectBytesMax: options.subjectBytesMax }),
    idleTtlMs: options.idleTtlMs ?? 1_800_000
  })
  const node = createNode({
    catalogs: [catalog],
    admission,
    membership: options.membership ?? null,
    bus,
    clock,
    logger,
    tracer,
    ...(options.inspect !== undefined && { inspect: options.inspect }),
    sweepMs: options.sweepMs ?? 60_000,
    check: () => storage.check(),
    workFinished: async () => {
      calls.workFinished += 1
    },
    failed: () => {
      calls.failed += 1
    }
  })
  await node.start()
  const askActor = createAskActor({ bus, ids: createSystemIds() })
  const ask = (id: string, command: ListCommand, deadlineMs = 10_000) =>
    askActor({ kind: 'session', subject: 'tester', id }, command, { deadlineMs }) as Promise<ListReply>
  return { clock, storage, bus, node, catalog, admission, ask, askActor, lines, events, calls, counted }
}

/** Returns the code of the DomainError that a promise rejects with, or `fulfilled`. */
export function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fulfilled',
    (error: unknown) => (isDomainError(error) ? error.code : String(error))
  )
}

/** Copies bodies, as between nodes, so that anything but plain data fails. */
function cloning(bus: Bus): Bus {
  return {
    ...bus,
    serve: (topic, handler) => bus.serve(topic, async (body) => structuredClone(await handler(body))),
    request: (topic, body, options) => bus.request(topic, structuredClone(body), options)
  }
}

function collectingLogger(lines: LogLine[]): Logger {
  const at = (level: keyof Logger) => (fields: object, message: string) => void lines.push({ level, fields, message })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
