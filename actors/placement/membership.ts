/**
 * Membership of this node: it sends heartbeats, hears those of the other nodes, and derives from them which node owns which address. This
 * ownership only decides where a command goes first; storage alone decides who may write.
 */
import { type Actor, type AnyActorRef, createActor, waitFor } from 'xstate'
import { type MembershipCommand, membershipMachine } from '../../machines/membership-machine.js'
import type { Address } from '../../src/domain/address.js'
import {
  type Heartbeat,
  isSuspect,
  type Member,
  memberNamed,
  type Members,
  type NodeName,
  type NodeState,
  withGone,
  withHeartbeat,
  withoutSilent
} from '../../src/domain/nodes/membership.js'
import type { Cancel, Clock, Counters, Ids, Logger, NodeBus, Tracer } from '../../src/ports.js'
import { RECORD_FORMAT } from '../behaviour/record-format.js'
import { traceSystem } from '../behaviour/trace.js'
import { createAbsenceCheck } from './absence.js'
import { createNamesakeWatch } from './namesake.js'
import { createRoster } from './roster.js'
import { createSelfWatch } from './self-watch.js'
import { createStorageWatch } from './storage-watch.js'
import { ALL_MEMBERS, heartbeatOn, membersTopic } from './topics.js'

/** Least milliseconds between two answers to newcomers, so that a thousand that join at once do not each cause an answer. */
const ANSWER_MS_MIN = 100

/** Number of incarnations remembered as this node's own, and as gone: messages of older ones no longer arrive. */
const NAMES_MAX = 16

/** States in which a node accepts asks of others. A joining node passes them on. */
const TAKING: ReadonlySet<NodeState> = new Set(['joining', 'up', 'unfit', 'draining'])

/** States in which a process of the same name means to stay. */
const STAYING: ReadonlySet<NodeState> = new Set(['up', 'unfit'])

export interface MembershipOptions {
  readonly nodeId: string
  readonly bus: Pick<NodeBus, 'publish' | 'subscribe' | 'request' | 'check' | 'connections'>
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  readonly counters: Counters
  readonly checkStorage: () => Promise<void>
  readonly activeSessions: () => number
  /** Called with each new incarnation of this node, to serve the topics of this incarnation in place of those of the last. */
  readonly renewed: (self: NodeName) => void
  /** Called when other nodes may own the actors in memory here. */
  readonly fence: () => void
  /** Called when another process took this node's name: this one has to end. */
  readonly superseded: () => void
}

export interface Membership {
  readonly self: NodeName
  readonly state: NodeState
  /** Whether it cannot reach others: it is isolated, or draining and hears nothing of itself. */
  readonly isCutOff: boolean
  /** All known nodes, this one included. */
  members(): readonly Member[]
  /** Returns the owner of an address; null while no node can own anything. */
  ownerOf(address: Address): NodeName | null
  /** Whether this node may accept work now. A node that stood still gives up its actors during this call, not at its next heartbeat. */
  isAwake(): boolean
  /** Monotonic milliseconds of that node in its last heartbeat heard here; null if the incarnation is not known. */
  beatOf(name: NodeName): number | null
  /** Number of that node's connections so far, as it told last; null if the incarnation is not known. */
  connectionsOf(name: NodeName): number | null
  /** Whether that incarnation is believed to be alive. */
  isPresent(name: NodeName): boolean
  /** Whether its process is known to have ended: it said goodbye, or nobody was found there. False for one that only fell silent. */
  hasEnded(name: NodeName): boolean
  /** Notes that nobody was found at a node that is believed to be alive. */
  noteUnreachable(name: NodeName): void
  /** Calls `listener` whenever a node joins, goes, changes its state, or has a new connection. */
  onChange(listener: () => void): Cancel
  /** Starts as an actor beneath `parent`. Resolves once the node is up for the first time; rejects if it left before that. */
  start(parent: AnyActorRef): Promise<void>
  /** Leaves new work to the other nodes. */
  drain(): void
  /** Says goodbye, and sends nothing afterwards. Idempotent. */
  leave(): void
}

export function createMembership(options: MembershipOptions): Membership {
  const { nodeId, bus, clock, ids, logger, tracer, counters } = options
  const [ownNames, leftNames]: [string[], string[]] = [[], []]
  let incarnation = ''
  let state: NodeState = 'joining'
  let announcedAtMs = -Infinity
  let isAnswering = false
  let unsubscribe: Cancel = () => undefined
  let actor: Actor<typeof membershipMachine> | null = null

  const roster = createRoster((placeable) => {
    const { members, view } = roster
    traceSystem(tracer, 'nodes.changed', { node: nodeId, state, known: members.size, placeable, view })
  })
  const noteUnreachable = createAbsenceCheck({ bus, clock, confirmed: noteGone })
  const lookAtStorage = createStorageWatch({
    check: options.checkStorage,
    clock,
    found: () => tell({ type: 'storage.found' }),
    lost: () => tell({ type: 'storage.lost' })
  })
  const namesake = createNamesakeWatch({ clock })
  const selfWatch = createSelfWatch({ clock, lost: () => tell({ type: 'network.lost' }) })

  /** Sends a command to the machine. No-op before the start and after the node has left. */
  function tell(command: MembershipCommand): void {
    if (state !== 'left') actor?.send(command)
  }

  function createMachine() {
    return membershipMachine.provide({
      actions: {
        renew,
        announce: (_, params) => {
          state = params.state
          announce()
        },
        fence: options.fence,
        beat,
        giveUpOthers: roster.tell,
        reportIsolated: () => {
          counters.count({ name: 'membership_change', change: 'isolated' })
          logger.warn({}, 'This node was cut off from the others, or stood still, and gives up what it has')
        },
        reportSuperseded: () => {
          logger.error({}, 'Another process runs as a node of the same name')
          options.superseded()
        }
      }
    })
  }

  function renew(): void {
    incarnation = ids.uuid()
    remember(ownNames, incarnation)
    selfWatch.reset()
    options.renewed({ nodeId, incarnation })
    // The known nodes may have gone meanwhile. Those that are still there will answer.
    roster.replace(new Map())
  }

  function announce(): void {
    announcedAtMs = clock.monotonicMs()
    const own = { activeSessions: options.activeSessions(), recordFormat: RECORD_FORMAT, connections: bus.connections() }
    const heartbeat: Heartbeat = { nodeId, incarnation, state, beatMs: announcedAtMs, view: roster.view, ...own }
    roster.replace(withHeartbeat(roster.members, heartbeat, announcedAtMs))
    bus.publish(membersTopic(nodeId), { ...heartbeat, view: roster.view })
  }

  /** Sends one answer for all newcomers of the last moments. */
  function answerSoon(): void {
    if (isAnswering) return
    isAnswering = true
    clock.after(Math.max(0, announcedAtMs + ANSWER_MS_MIN - clock.monotonicMs()), () => {
      isAnswering = false
      if (state !== 'left') announce()
    })
  }

  function beat(): void {
    const nowMs = clock.monotonicMs()
    if (selfWatch.check()) {
      selfWatch.noteBeat()
      noteLost(withoutSilent(roster.members, nowMs))
      // Checks suspects early: an ended process need not be waited for as long as one that may only stand still.
      for (const member of roster.members.values()) if (isSuspect(member, nowMs) && !member.isGone) noteUnreachable(member)
    }
    announce()
    lookAtStorage()
  }

  function hear(body: unknown, topic: string): void {
    selfWatch.check()
    const heartbeat = heartbeatOn(topic, body)
    if (heartbeat === null) return logger.warn({}, 'A heartbeat that no node sends of itself was dropped')
    if (heartbeat.nodeId === nodeId) {
      hearName(heartbeat)
      return
    }
    const known = roster.members.get(heartbeat.nodeId)
    if (heartbeat.state === 'left') remember(leftNames, heartbeat.incarnation)
    roster.replace(withHeartbeat(roster.members, heartbeat, clock.monotonicMs()))
    if (heartbeat.state === 'left') {
      if (known !== undefined) counters.count({ name: 'membership_change', change: 'left' })
    } else if (known?.incarnation !== heartbeat.incarnation) {
      counters.count({ name: 'membership_change', change: 'joined' })
      // An early answer: the newcomer need not wait for the next heartbeat to know this node.
      answerSoon()
    }
  }

  /** Handles a heartbeat under this node's own name. */
  function hearName(heartbeat: Heartbeat): void {
    if (ownNames.includes(heartbeat.incarnation)) {
      selfWatch.noteHeard()
      tell({ type: 'network.found' })
    } else if (heartbeat.state === 'joining') tell({ type: 'namesake.joined' })
    else if (STAYING.has(heartbeat.state) && namesake.yieldsTo(heartbeat, incarnation)) tell({ type: 'namesake.stayed' })
  }

  function noteGone(name: NodeName): void {
    if (roster.members.get(name.nodeId)?.incarnation !== name.incarnation) return
    counters.count({ name: 'membership_change', change: 'lost' })
    logger.warn({ node: name.nodeId }, 'Nobody is found at a node')
    roster.replace(withGone(roster.members, name))
  }

  function noteLost(next: Members): void {
    for (const { nodeId: lost, isGone } of roster.members.values()) {
      // A node that is gone was already reported by `noteGone`.
      if (next.has(lost) || isGone) continue
      counters.count({ name: 'membership_change', change: 'lost' })
      logger.warn({ node: lost }, 'A node has not been heard for too long')
    }
    roster.replace(next)
  }

  return {
    get self() {
      return { nodeId, incarnation }
    },
    get state() {
      return state
    },
    get isCutOff() {
      return state === 'isolated' || (state === 'draining' && selfWatch.isUnheard())
    },
    members: () => [...roster.members.values()],
    ownerOf: roster.ownerOf,
    isAwake: () => selfWatch.check() && TAKING.has(state),
    beatOf: (name) => memberNamed(roster.members, name)?.beatMs ?? null,
    connectionsOf: (name) => memberNamed(roster.members, name)?.connections ?? null,
    isPresent: (name) => memberNamed(roster.members, name)?.isGone === false,
    hasEnded: (name) => leftNames.includes(name.incarnation) || memberNamed(roster.members, name)?.isGone === true,
    noteUnreachable,
    onChange: roster.onChange,
    async start(parent) {
      unsubscribe = bus.subscribe(ALL_MEMBERS, hear)
      actor = createActor(createMachine(), { parent, id: 'membership' })
      const up = waitFor(actor, (snapshot) => snapshot.matches({ present: { belonging: { member: 'up' } } }))
      actor.start()
      await up
      // Once the broker answers, it has passed on the heartbeat: other nodes know of this one. If cut off meanwhile, it rejoins by itself.
      await bus.check().catch(() => undefined)
    },
    drain: () => tell({ type: 'node.drain' }),
    leave() {
      tell({ type: 'node.leave' })
      unsubscribe()
    }
  }
}

function remember(names: string[], name: string): void {
  names.push(name)
  if (names.length > NAMES_MAX) names.shift()
}
