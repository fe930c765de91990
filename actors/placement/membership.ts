/**
 * This node among the others: says that it lives, hears who else does, and works out from that which node owns what. Ownership found here
 * is where a command goes first; the storage alone decides who may write.
 */
import { createHash } from 'node:crypto'
import { type Actor, type AnyActorRef, createActor, waitFor } from 'xstate'
import { type MembershipCommand, membershipMachine } from '../../machines/membership-machine.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import {
  type Heartbeat,
  isSameTeam,
  isSuspect,
  type Member,
  memberNamed,
  type Members,
  type NodeName,
  type NodeState,
  placeableNodes,
  toHeartbeat,
  withGone,
  withHeartbeat,
  withoutSilent
} from '../../src/domain/membership.js'
import { createPlacement, type Placement } from '../../src/domain/rendezvous.js'
import type { Cancel, Clock, Counters, Ids, Logger, NodeBus, Tracer } from '../../src/ports.js'
import { RECORD_FORMAT } from '../behaviour/record-format.js'
import { traceSystem } from '../behaviour/trace.js'
import { createAbsenceCheck } from './absence.js'
import { createNamesakeWatch } from './namesake.js'
import { createSelfWatch } from './self-watch.js'
import { createStorageWatch } from './storage-watch.js'
import { ALL_MEMBERS, membersTopic } from './topics.js'

/** Milliseconds between two answers to newcomers: of a thousand that come at once, none need be told a thousand times who is here. */
const ANSWER_MS_MIN = 100

/** Incarnations that a node remembers as its own, or as gone: late messages of longer ago do not come. */
const NAMES_MAX = 16

/** States of a node that takes in what others ask; one that joins passes it on. */
const TAKING: ReadonlySet<NodeState> = new Set(['joining', 'up', 'unfit', 'draining'])

/** States of a node that stays under its name. */
const STAYING: ReadonlySet<NodeState> = new Set(['up', 'unfit'])

export interface MembershipOptions {
  readonly nodeId: string
  readonly bus: Pick<NodeBus, 'publish' | 'subscribe' | 'request' | 'check'>
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  readonly tracer: Tracer
  readonly counters: Counters
  readonly checkStorage: () => Promise<void>
  readonly activeSessions: () => number
  /** Answers from now on for this incarnation, and for none before it. */
  readonly renewed: (self: NodeName) => void
  /** Another node may own by now whatever is in memory here. */
  readonly fence: () => void
  /** Another process took this node's name: this one has to end. */
  readonly superseded: () => void
}

export interface Membership {
  readonly self: NodeName
  readonly state: NodeState
  /** Everybody that is heard of, this node included. */
  members(): readonly Member[]
  /** Null: nobody can own anything now. */
  ownerOf(address: Address): NodeName | null
  /** Whether this node may take anything in, now; one that stood still gives up what it has here, not when its next heartbeat is due. */
  isAwake(): boolean
  beatOf(name: NodeName): number | null
  /** Whether that incarnation is still taken for alive. */
  isPresent(name: NodeName): boolean
  /** Whether its process has ended, as far as is known: it said goodbye, or nobody is found there. Not one that only fell silent. */
  hasEnded(name: NodeName): boolean
  /** Nobody was found at a node that is taken for alive. */
  noteUnreachable(name: NodeName): void
  /** Calls `listener` whenever somebody came, went, or changed what it is. */
  onChange(listener: () => void): Cancel
  /** Begins as an actor beneath `parent`. Resolves once the node is up for the first time; rejects when it left before. */
  start(parent: AnyActorRef): Promise<void>
  /** Leaves new work to the others. */
  drain(): void
  /** Says goodbye. Nothing is said afterwards. Twice is fine. */
  leave(): void
}

export function createMembership(options: MembershipOptions): Membership {
  const { nodeId, bus, clock, ids, logger, tracer, counters } = options
  const listeners = new Set<() => void>()
  const [ownNames, leftNames]: [string[], string[]] = [[], []]
  let members: Members = new Map()
  let placement: Placement = createPlacement([])
  let view = ''
  let state: NodeState = 'joining'
  let incarnation = ''
  let announcedAtMs = -Infinity
  let isAnswering = false
  let unsubscribe: Cancel = () => undefined
  let actor: Actor<typeof membershipMachine> | null = null

  const noteUnreachable = createAbsenceCheck({ bus, clock, confirmed: noteGone })
  const lookAtStorage = createStorageWatch({
    check: options.checkStorage,
    clock,
    found: () => tell({ type: 'storage.found' }),
    lost: () => tell({ type: 'storage.lost' })
  })
  const namesake = createNamesakeWatch({ clock })
  const selfWatch = createSelfWatch({ clock, lost: () => tell({ type: 'network.lost' }) })

  /** For what may come before it begins, and when the node has left. */
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
        fence: () => {
          counters.count({ name: 'membership_change', change: 'isolated' })
          logger.warn({}, 'This node was cut off from the others, or stood still, and gives up what it has')
          options.fence()
        },
        beat,
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
    // The nodes it knew may have gone meanwhile: those that are there answer.
    setMembers(new Map())
  }

  function announce(): void {
    announcedAtMs = clock.monotonicMs()
    const own = { activeSessions: options.activeSessions(), recordFormat: RECORD_FORMAT }
    const heartbeat: Heartbeat = { nodeId, incarnation, state, beatMs: announcedAtMs, view, ...own }
    setMembers(withHeartbeat(members, heartbeat, announcedAtMs))
    bus.publish(membersTopic(nodeId), { ...heartbeat, view })
  }

  /** One answer for all newcomers of a moment. */
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
      noteLost(withoutSilent(members, nowMs))
      // Whose process has ended need not be waited for as long as one that may only stand still.
      for (const member of members.values()) if (isSuspect(member, nowMs) && !member.isGone) noteUnreachable(member)
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
    const known = members.get(heartbeat.nodeId)
    if (heartbeat.state === 'left') remember(leftNames, heartbeat.incarnation)
    setMembers(withHeartbeat(members, heartbeat, clock.monotonicMs()))
    if (heartbeat.state === 'left') {
      if (known !== undefined) counters.count({ name: 'membership_change', change: 'left' })
    } else if (known?.incarnation !== heartbeat.incarnation) {
      counters.count({ name: 'membership_change', change: 'joined' })
      // The newcomer need not wait for the next heartbeat to know who is here.
      answerSoon()
    }
  }

  /** A heartbeat under this node's own name. */
  function hearName(heartbeat: Heartbeat): void {
    if (ownNames.includes(heartbeat.incarnation)) {
      selfWatch.noteHeard()
      if (state === 'isolated') tell({ type: 'network.found' })
    } else if (heartbeat.state === 'joining' && state !== 'joining' && state !== 'superseded') tell({ type: 'node.supersede' })
    else if (STAYING.has(heartbeat.state) && STAYING.has(state) && namesake.yieldsTo(heartbeat, incarnation))
      tell({ type: 'node.supersede' })
  }

  function noteGone(name: NodeName): void {
    if (members.get(name.nodeId)?.incarnation !== name.incarnation) return
    counters.count({ name: 'membership_change', change: 'lost' })
    logger.warn({ node: name.nodeId }, 'Nobody is found at a node')
    setMembers(withGone(members, name))
  }

  function noteLost(next: Members): void {
    for (const { nodeId: lost, isGone } of members.values()) {
      // One at which nobody was found was told of then.
      if (next.has(lost) || isGone) continue
      counters.count({ name: 'membership_change', change: 'lost' })
      logger.warn({ node: lost }, 'A node has not been heard for too long')
    }
    setMembers(next)
  }

  function ownerOf(address: Address): NodeName | null {
    const owner = placement.ownerOf(addressKey(address))
    const member = owner === null ? undefined : members.get(owner)
    return member === undefined ? null : { nodeId: member.nodeId, incarnation: member.incarnation }
  }

  function setMembers(next: Members): void {
    const before = members
    members = next
    if (isSameTeam(before, next)) return
    const nodeIds = placeableNodes(next)
    if (nodeIds.join() !== placement.nodeIds.join()) placement = createPlacement(nodeIds)
    view = viewOf(nodeIds, next)
    traceSystem(tracer, 'nodes.changed', { node: nodeId, state, known: next.size, placeable: nodeIds.length, view })
    for (const listener of listeners) listener()
  }

  return {
    get self() {
      return { nodeId, incarnation }
    },
    get state() {
      return state
    },
    members: () => [...members.values()],
    ownerOf,
    isAwake: () => selfWatch.check() && TAKING.has(state),
    beatOf: (name) => memberNamed(members, name)?.beatMs ?? null,
    isPresent: (name) => memberNamed(members, name)?.isGone === false,
    hasEnded: (name) => leftNames.includes(name.incarnation) || memberNamed(members, name)?.isGone === true,
    noteUnreachable,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start(parent) {
      unsubscribe = bus.subscribe(ALL_MEMBERS, hear)
      actor = createActor(createMachine(), { parent, id: 'membership' })
      const up = waitFor(actor, (snapshot) => snapshot.matches({ present: { belonging: { member: 'up' } } }))
      actor.start()
      await up
      // The broker has passed it on: the node that is asked next knows of this one. Cut off meanwhile, it comes back by itself.
      await bus.check().catch(() => undefined)
    },
    drain() {
      tell({ type: 'node.drain' })
    },
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

/**
 * The broker decides who may write to a topic: what a message says of its sender counts only when its topic says the same. Null: it is
 * no heartbeat of that sender.
 */
function heartbeatOn(topic: string, body: unknown): Heartbeat | null {
  const heartbeat = toHeartbeat(body)
  return heartbeat !== null && membersTopic(heartbeat.nodeId) === topic ? heartbeat : null
}

function viewOf(nodeIds: readonly string[], members: Members): string {
  const names = nodeIds.map((id) => `${id}:${members.get(id)?.incarnation ?? ''}`)
  return createHash('sha256').update(names.join()).digest('hex').slice(0, 16)
}
