/** Node: the root of this process's actors, with its topics, its start and its shutdown. */
import { createActor, fromPromise, type InspectionEvent, waitFor } from 'xstate'
import { nodeMachine } from '../machines/node-machine.js'
import { isDomainError, isFullStorage } from '../src/domain/errors.js'
import { DRAIN_MS_MAX } from '../src/domain/limits.js'
import type { Bus, Cancel, Clock, Logger, Tracer } from '../src/ports.js'
import { topicOf } from './asking/envelope.js'
import { traceSystem } from './behaviour/trace.js'
import type { Membership } from './placement/membership.js'
import type { Catalog } from './runtime/catalog.js'
import { toXStateClock } from './runtime/xstate-clock.js'
import type { Admission } from './scheduling/admission.js'

/** Listener for inspectors: gets every actor, command and snapshot of a node. About doubles the cost of a command. */
export type InspectActors = (event: InspectionEvent) => void

export interface NodeOptions {
  readonly catalogs: readonly Catalog[]
  readonly admission: Admission
  /** Null for a single node. */
  readonly membership: Pick<Membership, 'start' | 'leave'> | null
  readonly bus: Bus
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
  /** Called with each sweep for idle actors, for other periodic work. */
  readonly swept?: () => Promise<void>
  /** Rejects when the node cannot work; the start then fails. A full storage is no reason. */
  readonly check: () => Promise<void>
  /** Called when actors can be asked, and when no new work is accepted any more. */
  readonly doors?: { opened(): void; closed(): void }
  /** Closes what only running commands need (the embedders), after the last command and before the actors are passivated. */
  readonly workFinished: () => Promise<void>
  /** Called when the supervision tree gave up: the process has to exit with a code other than 0. */
  readonly failed: () => void
  /** Default: none, at no cost. */
  readonly inspect?: InspectActors | undefined
}

type NodeState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

export interface ActorNode {
  readonly state: NodeState
  /** Resolves once asks are answered and the other nodes know of this one. Rejects when the start failed. */
  start(): Promise<void>
  /**
   * Refuses new work, lets work in flight finish (at most `limitMs`, 25 s by default), passivates every actor, and leaves the other nodes.
   * Resolves when nothing is left. Idempotent: the first limit counts.
   */
  drain(limitMs?: number): Promise<void>
}

export function createNode(options: NodeOptions): ActorNode {
  const root = createActor(createNodeLogic(options), {
    input: { sweepMs: options.sweepMs },
    clock: toXStateClock(options.clock),
    ...(options.inspect !== undefined && { inspect: options.inspect })
  })
  const state = (): NodeState => {
    const snapshot = root.getSnapshot()
    if (snapshot.matches({ serving: 'running' })) return 'running'
    if (snapshot.matches('serving')) return 'draining'
    return snapshot.matches('failed') ? 'failed' : snapshot.matches('stopped') ? 'stopped' : 'starting'
  }
  let isStarted = false
  root.subscribe({ complete: () => state() === 'failed' && options.failed() })
  return {
    get state() {
      return state()
    },
    async start() {
      isStarted = true
      root.start()
      await waitFor(
        root,
        (snapshot) => !snapshot.matches('starting') && !snapshot.matches({ serving: { running: { belonging: 'joining' } } })
      )
      if (state() === 'failed') throw new Error('The node could not start')
    },
    async drain(limitMs = DRAIN_MS_MAX) {
      // A node that was never started has nothing to drain, and its root would never end.
      if (!isStarted) return
      // Stryker disable next-line ConditionalExpression: a root that has ended only warns
      if (root.getSnapshot().status === 'active') root.send({ type: 'node.drain', limitMs })
      await waitFor(root, (snapshot) => snapshot.status !== 'active')
    }
  }
}

function createNodeLogic(options: NodeOptions) {
  const { catalogs, admission, membership, clock, logger, tracer } = options
  const supervisors = new Map<string, { stop: () => void }>()
  let doors: Cancel[] = []

  return nodeMachine.provide({
    actors: {
      startup: fromPromise(async () => {
        try {
          await options.check()
        } catch (error) {
          if (!isFullStorage(error)) throw error
        }
      }),
      joining: fromPromise(async ({ input }) => membership?.start(input.node)),
      passivation: fromPromise(async () => {
        await options.workFinished()
        await Promise.all(catalogs.map((catalog) => catalog.passivateAll()))
        for (const close of doors) close()
        doors = []
      })
    },
    actions: {
      startSupervisors: ({ self }) => {
        for (const catalog of catalogs) supervisors.set(catalog.kind, startSupervisor(catalog, self, options))
      },
      restartSupervisor: ({ self }, { supervisorId }) => {
        const catalog = catalogs.find(({ kind }) => kind === supervisorId)
        if (catalog !== undefined) supervisors.set(catalog.kind, startSupervisor(catalog, self, options))
      },
      stopSupervisors: () => {
        for (const supervisor of supervisors.values()) supervisor.stop()
        supervisors.clear()
      },
      leaveNodes: () => membership?.leave(),
      reportSupervisorEnd: ({ self }, { supervisorId }) => {
        logger.error({ supervisor: supervisorId }, 'A supervisor gave up and is started anew')
        traceSystem(tracer, 'supervisor.ended', { supervisor: supervisorId })
        self.send({ type: 'failure.note', supervisorId, atMs: clock.monotonicMs() })
      },
      reportFailure: (_, { error }) => logger.error({ err: error }, 'The node failed'),
      openDoors: () => {
        doors = catalogs.map((catalog) => options.bus.serve(topicOf(catalog.kind), catalog.answer))
        options.doors?.opened()
      },
      // The topics are still served: callers learn that the node is draining.
      closeDoors: () => {
        admission.close()
        options.doors?.closed()
      },
      awaitWork: ({ self }) => admission.whenIdle(() => self.send({ type: 'work.finish' })),
      tick: () => {
        for (const catalog of catalogs) catalog.tick().catch((error: unknown) => logger.error({ err: error }, 'A tick failed'))
      },
      sweepStorage: () => {
        // If storage is not available, it is swept the next time.
        options
          .swept?.()
          .catch((error: unknown) => logger.debug({ code: isDomainError(error) ? error.code : 'unknown' }, 'The storage was not swept'))
      }
    }
  })
}

function startSupervisor(catalog: Catalog, parent: Parameters<typeof waitFor>[0], { sweepMs }: NodeOptions): { stop: () => void } {
  const supervisor = createActor(catalog.logic, { parent, id: catalog.kind, input: { sweepMs } })
  supervisor.start()
  return {
    stop: () => {
      // Stryker disable next-line ConditionalExpression: as above, for a supervisor
      if (supervisor.getSnapshot().status === 'active') supervisor.send({ type: 'supervisor.stop' })
    }
  }
}
