/** Metrics for Prometheus: requests, live actors, actors' decisions, nodes, and the process. The only file that knows `prom-client`. */
import { AggregatorRegistry, Counter, Gauge, Histogram, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'
import { ACTOR_KINDS } from '../domain/address.js'
import { ANOMALY_TYPES } from '../domain/commands/observer-commands.js'
import { FORWARD_OUTCOMES, NODE_CHANGES, type Occurrence, RETRY_REASONS } from '../domain/commands/occurrences.js'
import type { Counters, RequestMetrics } from '../ports.js'
import { watchEventLoop } from './event-loop.js'

/** In seconds: from a cache hit to the request deadline of 30 s. A run takes a few milliseconds without its model. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const MS_PER_S = 1000
const US_PER_S = 1e6

/** Each `show` method registers the source of a gauge, once. The source is called at each scrape and may return different labels. */
export interface Metrics extends RequestMetrics, Counters {
  /** Number of active actors by kind. */
  showActors(counts: () => Iterable<Counted<'kind'>>): void
  /** Commands that wait in the mailboxes, by kind. */
  showMailboxes(counts: () => Iterable<Counted<'kind'>>): void
  /** Bytes of memory that actors of each kind, and work, account for; and how many of them lie on V8's heap. */
  showHeldBytes(bytes: () => Iterable<Counted<'kind'>>): void
  showHeldHeapBytes(bytes: () => Iterable<Counted<'kind'>>): void
  /** Upper bounds on these bytes. */
  showMemoryBudgets(bytes: () => Iterable<Counted<'budget'>>): void
  /** Texts whose vectors are not yet computed. */
  showPending(count: () => number): void
  /** Nodes by state, as this node sees them. */
  showNodes(counts: () => Iterable<Counted<'state'>>): void
  /** Readiness of the node, as in `/v1/readyz`. A rejection counts as not ready. */
  showReadiness(isReady: () => Promise<boolean>): void
  /** Returns this worker's metrics as plain data, for the other workers of the machine. */
  snapshot(): Promise<MetricsSnapshot>
  /** Returns the text for these workers together. */
  exposeAll(snapshots: readonly MetricsSnapshot[]): ReturnType<RequestMetrics['expose']>
  /**
   * Active actors by whether the present nodes still place them on this one: `own` or `foreign`. Nodes came or went, and another node
   * should own a foreign one. It is passivated here when it is next asked, or idle.
   */
  showPlacements(counts: () => Iterable<Counted<'placement'>>): void
}

export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** A number under a label. */
type Counted<Label extends string> = Readonly<Record<Label, string>> & { readonly count: number }

/** Creates a registry per service instance, so that two in one process do not share counts. Interface, Limits: metrics exposed. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Counter({
    name: 'service_requests_total',
    help: 'HTTP requests answered.',
    labelNames: ['method', 'endpoint', 'status'] as const,
    registers: [registry]
  })
  const durations = new Histogram({
    name: 'service_request_duration_seconds',
    help: 'Time from receiving a request to the end of its response, in seconds.',
    labelNames: ['method', 'endpoint'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry]
  })
  showProcess(registry)

  return {
    observe({ method, endpoint, status, durationS }) {
      requests.inc({ method, endpoint, status })
      durations.observe({ method, endpoint }, durationS)
    },
    ...createCounters(registry),
    ...createShown(registry),
    showReadiness(isReady) {
      const gauge = new Gauge({
        name: 'service_ready',
        help: '1 while every dependency of the node answers, else 0.',
        registers: [registry],
        aggregator: 'min',
        async collect() {
          gauge.set(await isReady().then(Number, () => 0))
        }
      })
    },
    showPending(count) {
      const gauge = new Gauge({
        name: 'service_pending_vectors',
        help: 'Texts stored while the embedder was unavailable, whose vectors are still pending.',
        registers: [registry],
        collect() {
          gauge.set(count())
        }
      })
    },
    snapshot: () => registry.getMetricsAsJSON(),
    async exposeAll(snapshots) {
      const together = AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]))
      return { contentType: registry.contentType, body: await together.metrics() }
    },
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() }
    }
  }
}

type Named<Name> = Extract<Occurrence, { readonly name: Name }>

/** What an occurrence of each name adds to. */
type Counts = { readonly [Name in Occurrence['name']]: (occurrence: Named<Name>) => void }

function createCounters(registry: Registry): Counters {
  function plain<Counted extends Occurrence>(name: string, help: string, amountOf: (occurrence: Counted) => number = () => 1) {
    const made = new Counter({ name, help, registers: [registry] })
    return (occurrence: Counted) => made.inc(amountOf(occurrence))
  }
  /**
   * Counts by the field `label` of the occurrence. All known labels start at 0: of a series that starts at 1 Prometheus misses the first
   * increment, which is the important one.
   */
  function by<Label extends string, Counted extends Occurrence & Readonly<Record<Label, string>>>(
    label: Label,
    known: readonly string[],
    name: string,
    help: string,
    amountOf: (occurrence: Counted) => number = () => 1
  ) {
    const made = new Counter<string>({ name, help, labelNames: [label], registers: [registry] })
    for (const value of known) made.inc({ [label]: value }, 0)
    return (occurrence: Counted) => made.inc({ [label]: occurrence[label] }, amountOf(occurrence))
  }
  function rehydrations() {
    const durations = new Histogram({
      name: 'service_rehydration_seconds',
      help: 'Time taken to rehydrate an actor from storage, in seconds.',
      labelNames: ['kind'] as const,
      buckets: DURATION_BUCKETS_S,
      registers: [registry]
    })
    for (const kind of ACTOR_KINDS) durations.zero({ kind })
    const cameBack = 'Memories of sessions, and rows of other actors, rehydrated from storage.'
    const sizeOf = ({ size }: Named<'rehydration'>): number => size
    const sizes = by('kind', ACTOR_KINDS, 'service_rehydrated_memories_total', cameBack, sizeOf)
    return (occurrence: Named<'rehydration'>) => {
      durations.observe({ kind: occurrence.kind }, occurrence.durationMs / MS_PER_S)
      sizes(occurrence)
    }
  }
  const counts: Counts = {
    drift_event: plain('service_drift_events_total', 'Drift events published by clusters.'),
    realignment: plain('service_realignments_total', 'Region realignments.'),
    feedback: plain('service_feedbacks_total', 'Cluster aggregates blended back into their members.'),
    transfer: plain('service_transfers_total', 'Deltas transferred from one session to another.'),
    retrieval_failure: plain('service_retrieval_failures_total', 'Retrievals that failed, so that the turn got an empty context.'),
    memory_eviction: plain('service_memory_evictions_total', 'Idle actors evicted because their memory was needed for others.'),
    fenced_write: plain('service_fenced_writes_total', 'Writes refused because another writer had taken over the record.'),
    anomaly: by('type', ANOMALY_TYPES, 'service_anomalies_total', 'Anomalies recorded by observers, by type.'),
    memory_refusal: by(
      'budget',
      ['record', 'actors', 'work'],
      'service_memory_refusals_total',
      'Requests refused for lack of memory, by the exhausted budget.'
    ),
    consensus: by('outcome', ['accepted', 'refused'], 'service_consensus_total', 'Consensus proposals voted on, by outcome.'),
    forward: by('outcome', FORWARD_OUTCOMES, 'service_forwards_total', 'Asks forwarded to the node that owns their actor, by outcome.'),
    retry: by('reason', RETRY_REASONS, 'service_ask_retries_total', 'Asks that were retried, by reason.'),
    membership_change: by('change', NODE_CHANGES, 'service_membership_changes_total', 'Nodes that joined or left, as seen by this node.'),
    rehydration: rehydrations(),
    literals_loaded: plain(
      'service_literals_loaded_total',
      'Literal cache entities loaded into memory with their session.',
      ({ entities }) => entities
    ),
    literals_evicted: by(
      'reason',
      ['removed', 'replaced', 'put_away'],
      'service_literals_evicted_total',
      'Literal cache entities that left memory, by reason.',
      ({ entities }) => entities
    ),
    event_loop_stall: by(
      'command',
      ['other'],
      'service_event_loop_stalls_total',
      'Times the event loop was blocked for more than half a second, by the command that blocked it.'
    )
  }
  return { count: (occurrence) => (counts[occurrence.name] as (occurrence: Occurrence) => void)(occurrence) }
}

type Shown = 'showActors' | 'showMailboxes' | 'showHeldBytes' | 'showHeldHeapBytes' | 'showMemoryBudgets' | 'showNodes' | 'showPlacements'

/**
 * Registers gauges over counts of others. Values of the same label are added up, and labels that are no longer returned disappear. The
 * values of several workers are added up as well, except for what each sees of all nodes.
 */
function createShown(registry: Registry): Pick<Metrics, Shown> {
  function shown<Label extends string>(name: string, help: string, label: Label, aggregator: 'sum' | 'max' = 'sum') {
    return (counts: () => Iterable<Counted<Label>>) => {
      const gauge = new Gauge<string>({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        aggregator,
        collect() {
          gauge.reset()
          for (const item of counts()) gauge.inc({ [label]: item[label] }, item.count)
        }
      })
    }
  }
  return {
    showActors: shown('service_active_actors', 'Actors in the memory of this process, by kind.', 'kind'),
    showMailboxes: shown('service_mailbox_commands', 'Commands waiting in the mailboxes of their actors.', 'kind'),
    showHeldBytes: shown('service_held_bytes', 'Bytes of memory accounted to actors and to work, by kind.', 'kind'),
    showHeldHeapBytes: shown('service_held_heap_bytes', 'Bytes of service_held_bytes that are on the V8 heap.', 'kind'),
    showMemoryBudgets: shown('service_memory_budget_bytes', 'Maximum of the held bytes, by budget.', 'budget'),
    showNodes: shown('service_nodes', 'Nodes by state, as seen by this node.', 'state', 'max'),
    showPlacements: shown(
      'service_placed_actors',
      'Actors in the memory of this process, by whether this node should own them.',
      'placement'
    )
  }
}

/**
 * Lag of the event loop, and resources of the process under the names of Prometheus' own clients. `collectDefaultMetrics` is not used:
 * `promtool check metrics` refuses some of its names (`nodejs_active_handles_total`, a gauge).
 */
function showProcess(registry: Registry): void {
  const readLag = watchEventLoop()
  const lags = new Gauge({
    name: 'service_event_loop_lag_seconds',
    help: 'Event loop lag since the last scrape, in seconds.',
    labelNames: ['stat'] as const,
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { p50, p99, max } = readLag()
      lags.set({ stat: 'p50' }, p50)
      lags.set({ stat: 'p99' }, p99)
      lags.set({ stat: 'max' }, max)
    }
  })
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, user and system, in seconds.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      cpu.reset()
      cpu.inc((user + system) / US_PER_S)
    }
  })
  const resident = new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes.',
    registers: [registry],
    collect() {
      resident.set(process.memoryUsage.rss())
    }
  })
  const startedAt = Date.now() / MS_PER_S - process.uptime()
  const help = 'Unix time at which the process started.'
  new Gauge({ name: 'process_start_time_seconds', help, registers: [registry], aggregator: 'min' }).set(startedAt)
}
