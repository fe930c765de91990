/**
 * Planted bugs that the simulation has to find. Each wraps the ports of the nodes, so that the product needs no switch for it: the ports
 * receive and return what they would on a node with this bug.
 */
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { REQUEST } from '../../actors/messaging/idempotency-ring.js'
import { OUTBOX } from '../../actors/messaging/outbox.js'
import type { Forwarded } from '../../actors/placement/received.js'
import { ALL_MEMBERS } from '../../actors/placement/topics.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import { isDomainError } from '../../src/domain/errors.js'
import type { Heartbeat } from '../../src/domain/nodes/membership.js'
import type { ActorStorage, NodeBus, WriteToken } from '../../src/ports.js'
import type { Outside } from './simulated-node.js'

/** Plants the bug in the outside of a node. Called for each process of a simulation. */
export type Around = (outside: Outside) => Outside

export interface Bug {
  readonly name: string
  /** Starts the bug for one simulation. */
  begin(): Around
}

/** The storage accepts commits of every writer, and `verify` confirms every writer. */
function fencingUnchecked(): Around {
  const last = new Map<string, WriteToken>()
  return inStorage((storage) => ({
    ...storage,
    create: async (address, changes, epoch) => noted(last, address, await storage.create(address, changes, epoch)),
    async activate(address) {
      const record = await storage.activate(address)
      noted(last, address, record?.token ?? null)
      return record
    },
    async commit(address, token, changes) {
      try {
        return noted(last, address, await storage.commit(address, token, changes))
      } catch (error) {
        const known = last.get(addressKey(address))
        if (!isDomainError(error) || error.code !== 'fenced' || known === undefined) throw error
        return noted(last, address, await storage.commit(address, known, changes))
      }
    },
    verify: async (address) => (await storage.peek(address)) !== null
  }))
}

function noted<Token extends WriteToken | null>(last: Map<string, WriteToken>, address: Address, token: Token): Token {
  if (token !== null) last.set(addressKey(address), token)
  return token
}

/** A commit is acknowledged while it is still on its way. */
function acknowledgedEarly(): Around {
  return inStorage((storage) => {
    const writes = new Map<string, Promise<unknown>>()
    return {
      ...storage,
      async commit(address, token, changes) {
        const key = addressKey(address)
        const before = writes.get(key) ?? Promise.resolve()
        writes.set(
          key,
          before.then(() => storage.commit(address, token, changes)).catch(() => undefined)
        )
        return { epoch: token.epoch, version: token.version + 1 }
      }
    }
  })
}

/** A retry is treated as a new request by the node that receives it. */
function retryTakenForNew(): Around {
  let retries = 0
  return inBus((bus) => ({
    ...bus,
    serve: (topic, handler) =>
      bus.serve(topic, (body, from) => {
        const { envelope, ...rest } = body as Forwarded
        if (!topic.endsWith('.asks') || envelope.triedMs === undefined) return handler(body, from)
        const { triedMs: _, ...first } = envelope
        return handler({ ...rest, envelope: { ...first, requestId: `new-${String(retries++)}` } }, from)
      })
  }))
}

/** An activation does not read the idempotency log. */
function logLeftBehind(): Around {
  return inStorage((storage) => ({
    ...storage,
    async activate(address) {
      const record = await storage.activate(address)
      return record === null ? null : { ...record, rows: record.rows.filter(({ collection }) => collection !== REQUEST) }
    }
  }))
}

/** An activation does not read outbox messages that were committed but not delivered before a crash. */
function outboxLostInCrash(): Around {
  return inStorage((storage) => ({
    ...storage,
    async activate(address) {
      const record = await storage.activate(address)
      return record === null ? null : { ...record, rows: record.rows.filter(({ collection }) => collection !== OUTBOX) }
    }
  }))
}

/** Every further delivery of an outbox message with that command counts as a new message. */
function outboxNotKnownAgain(type: string): Around {
  const known = new Set<string>()
  let again = 0
  return inBus((bus) => ({
    ...bus,
    outbox: {
      ...bus.outbox,
      take: (deliver) =>
        bus.outbox.take((body, options) => {
          const { sender, message } = body as { readonly sender: Address; readonly message: OutboxMessage }
          if (message.command.type !== type || !known.has(message.id)) {
            known.add(message.id)
            return deliver(body, options)
          }
          const name = `${message.id}-${String(again++)}`
          const command = { ...message.command, eventId: name }
          return deliver({ sender, message: { ...message, id: name, command } }, { isRepeated: false })
        })
    }
  }))
}

/** A node that nobody hears believes that it is heard, and answers from memory. */
function silentNodeGoesOn(): Around {
  return (outside) => {
    const listeners = new Set<(body: unknown, topic: string) => void>()
    const { bus } = outside
    return {
      ...outside,
      bus: {
        ...bus,
        publish(topic, body) {
          bus.publish(topic, body)
          outside.clock.after(0, () => listeners.forEach((listener) => listener(body, topic)))
        },
        subscribe(topic, listener) {
          if (topic === ALL_MEMBERS) listeners.add(listener)
          return bus.subscribe(topic, listener)
        }
      },
      storage: { ...outside.storage, verify: async () => true }
    }
  }
}

/** Heartbeats count only from the first incarnation heard of each node. */
function ringStaysAsItWas(): Around {
  return inBus((bus) => {
    const first = new Map<string, string>()
    return {
      ...bus,
      subscribe: (topic, listener) =>
        bus.subscribe(topic, (body, name) => {
          const { nodeId, incarnation } = body as Heartbeat
          if (topic === ALL_MEMBERS) {
            const known = first.get(nodeId) ?? incarnation
            first.set(nodeId, known)
            if (known !== incarnation) return
          }
          listener(body, name)
        })
    }
  })
}

/** Milliseconds in which nobody else could take a record over if clocks could be trusted. */
const LEASE_MS = 3_000

/** A writer that was the latest one a moment ago, by the time of day, is assumed to be so still. */
function leaseByTheWallClock(): Around {
  return (outside) => {
    const { storage, clock } = outside
    const untilS = new Map<string, number>()
    const renew = (address: Address): void => void untilS.set(addressKey(address), clock.now() + LEASE_MS / 1000)
    return {
      ...outside,
      storage: {
        ...storage,
        async activate(address) {
          const record = await storage.activate(address)
          if (record !== null) renew(address)
          return record
        },
        async commit(address, token, changes) {
          const next = await storage.commit(address, token, changes)
          renew(address)
          return next
        },
        async verify(address, token) {
          if (clock.now() < (untilS.get(addressKey(address)) ?? 0)) return true
          const isLast = await storage.verify(address, token)
          if (isLast) renew(address)
          return isLast
        }
      }
    }
  }
}

function inStorage(around: (storage: ActorStorage) => ActorStorage): Around {
  return (outside) => ({ ...outside, storage: around(outside.storage) })
}

function inBus(around: (bus: NodeBus) => NodeBus): Around {
  return (outside) => ({ ...outside, bus: around(outside.bus) })
}

export const BUGS: readonly Bug[] = [
  { name: 'fencing-unchecked', begin: fencingUnchecked },
  { name: 'acknowledged-early', begin: acknowledgedEarly },
  { name: 'retry-taken-for-new', begin: retryTakenForNew },
  { name: 'log-left-behind', begin: logLeftBehind },
  { name: 'outbox-lost-in-crash', begin: outboxLostInCrash },
  { name: 'outbox-not-known-again', begin: () => outboxNotKnownAgain('cluster.noteDrift') },
  { name: 'silent-node-goes-on', begin: silentNodeGoesOn },
  { name: 'ring-stays-as-it-was', begin: ringStaysAsItWas },
  { name: 'vote-counted-twice', begin: () => outboxNotKnownAgain('region.vote') },
  { name: 'lease-by-the-wall-clock', begin: leaseByTheWallClock }
]
