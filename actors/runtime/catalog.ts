/**
 * Catalog of all actors of one kind on this node: finds or starts the actor a command is for, and passivates idle ones. The term is
 * Orleans'. An address has at most one activation here; storage fences activations on other nodes.
 */
import { type Address, addressKey } from '../../src/domain/address.js'
import { addTo } from '../../src/domain/collections/by-key.js'
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { MAILBOX_COMMANDS_MAX } from '../../src/domain/limits.js'
import type { LiveActor } from '../../src/domain/nodes/topology.js'
import { type AskAnswer, type AskEnvelope, refuse } from '../asking/envelope.js'
import { fanOut } from '../asking/fan-out.js'
import { type Delivery, giveBack, type Outcome } from '../behaviour/delivery.js'
import { writtenBytes } from '../behaviour/written-size.js'
import { type Activations, createActivations } from './activations.js'
import { during, type SpannedWork, type Spans } from '../../src/spans.js'
import { type Actors, type CatalogOptions, createActors } from './actors.js'
import { createEntry, type Entry, isOpen } from './entry.js'
import { evict, isEvictable, isIrreplaceable, noteAnswered } from './eviction.js'
import { createMailbox, type Mailbox } from './mailbox.js'
import type { Registry } from './registry.js'
import { createSupervisorLogic, type SupervisorLogic } from './supervisor-logic.js'
import { evictEach, evictWhile } from './sweep.js'

/** Prefix of the request ids of reminders. The time follows, so that an actor does not take the next reminder for a repeated request. */
const REMINDER_REQUEST = 'tick'

/** Deadline of one reminder, in milliseconds. The longest is an observer's sample of a thousand clusters. */
const REMINDER_MS_MAX = 30_000

export interface Catalog {
  readonly kind: Address['kind']
  /** The supervisor of this catalog's actors, for the node to start. */
  readonly logic: SupervisorLogic
  /** Number of live actors. */
  readonly activeCount: number
  /** Number of commands that were accepted and have not run. */
  readonly waitingCount: number
  /** Number of live actors that another node owns by now. Linear in the number of entries. */
  foreignCount(): number
  /** Answers an ask from the bus, with a reply that is durable or a refusal. Never rejects. */
  answer(body: unknown): Promise<AskAnswer>
  /** Resolves to the behaviour's reply once it is durable; rejects with a DomainError only. */
  deliver(request: AskEnvelope): Promise<unknown>
  /** Delivers the reminders that are due to the actors that this node owns. */
  tick(): Promise<void>
  /** Passivates all actors; resolves when none is left. For a node without work in flight. */
  passivateAll(): Promise<void>
  /** Passivates those of a subject's actors with these ids that are idle, except those whose state storage would lose. */
  passivate(subject: string, ids: readonly string[]): Promise<void>
  /** Passivates the idle actors that another node owns by now. Busy ones are left for the next call. */
  yield(): Promise<void>
  /** Ends actors at once, unsaved, because another node may own them. Their waiting commands are refused with `fenced`. Default: all. */
  fence(isWanted?: (address: Address) => boolean): void
  /** The live actor of a subject that a client used last, and the milliseconds since. */
  mostRecent(subject: string): { readonly id: string; readonly idleMs: number } | undefined
  /** Addresses of all live actors, least recently used first. */
  addresses(): Address[]
  /** Ids of a subject's live actors, least recently used first. */
  activeIds(subject: string): string[]
  /** Describes a live actor; undefined when it is not live here. Does not count as a use of it. */
  describe(subject: string, id: string): LiveActor | undefined
  /** Whether the supervisor runs. False for a moment while it is restarted. */
  readonly isSupervised: boolean
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { behaviour, budget, clock, owns } = options
  const actors = createActors(options)
  const { registry } = actors
  const activations = createActivations(actors, (entry) => remindFirst(actors, entry))
  const take = (request: AskEnvelope): Promise<unknown> =>
    new Promise((resolve, refused) => {
      const { address, command, deadlineMs, isInner } = request
      const sinceMs = clock.monotonicMs()
      const bytes = () => writtenBytes(command)
      const entered = (leave: () => void) => accept(actors, activations, { request, sinceMs, leave, resolve, reject: refused })
      options.admission.enter('actors', { subject: address.subject, deadlineMs, isInner, bytes, entered, refused })
    })
  /** Counts the body of a command from another node until the command is answered. A client's body counts where it entered. */
  async function takeForeign(request: AskEnvelope): Promise<unknown> {
    const body = budget.openHold('request', request.address.subject)
    body.take({ heap: writtenBytes(request.command), buffers: 0 })
    return take(request).finally(body.free)
  }
  const deliver = (request: AskEnvelope): Promise<unknown> => (request.isForeign === true ? takeForeign(request) : take(request))
  const delivered = inSpans(options.spans, deliver)
  return {
    kind: behaviour.kind,
    logic: createSupervisorLogic(actors, activations),
    get activeCount() {
      return registry.activeCount
    },
    get waitingCount() {
      return sumOf(registry.entries(), (entry) => entry.mailbox?.size() ?? 0)
    },
    foreignCount: () => sumOf(registry.entries(), (entry) => (isOpen(entry) && !owns(entry.address) ? 1 : 0)),
    async answer(body) {
      try {
        return { reply: await delivered(body as AskEnvelope) }
      } catch (error) {
        return refuse(error)
      }
    },
    deliver: delivered,
    async tick() {
      const all = behaviour.reminders?.(clock.now()) ?? []
      const due = new Map<string, (typeof all)[number][]>()
      for (const reminder of all) {
        const { address } = reminder
        if (owns(address)) addTo(due, address.subject, reminder)
        // Reminders of a live actor stay: if this node came to own it again, no activation would restore them.
        else if (registry.get(addressKey(address)) === undefined) behaviour.forgetReminders?.(address)
      }
      const requestId = `${REMINDER_REQUEST}-${clock.now()}`
      // One subject's reminders hold up neither its requests nor another subject's reminders. One that is refused becomes due again later.
      const reminders = [...due.values()].map((own) =>
        fanOut(own, clock, (reminder) =>
          deliver({ ...reminder, requestId, deadlineMs: REMINDER_MS_MAX, isInner: true }).catch(() => undefined)
        )
      )
      await Promise.all(reminders)
    },
    async passivateAll() {
      activations.close()
      // Its record is being read, or its last write is under way: the machine passivates it after that.
      for (const entry of [...registry.entries()]) if (!isEvictable(entry)) evict(actors, entry)
      await evictWhile(actors, { isWanted: () => true, isKept: () => false })
      await registry.whenEmpty()
    },
    async passivate(subject, ids) {
      const entries = ids.flatMap((id) => registry.get(addressKey({ kind: behaviour.kind, subject, id })) ?? [])
      await evictEach(actors, entries, (entry) => !isIrreplaceable(actors, entry))
    },
    async yield() {
      const isForeign = ({ address }: Entry) => !owns(address)
      // Checked again before each eviction: this node may own it again by then.
      await evictEach(actors, [...registry.entries()].filter(isForeign), isForeign)
    },
    fence(isWanted = () => true) {
      // Waiting commands are refused once their actor has ended.
      for (const entry of [...registry.entries()]) if (isWanted(entry.address)) entry.activation?.ref?.send({ type: 'actor.fence' })
    },
    mostRecent(subject) {
      const entry = registry.mostRecent(subject)
      return entry && { id: entry.address.id, idleMs: clock.monotonicMs() - (entry.usedAtMs ?? entry.touchedAtMs) }
    },
    addresses: () => [...registry.entries()].filter(isOpen).map(({ address }) => address),
    activeIds: (subject) => [...registry.openOf(subject).keys()],
    describe(subject, id) {
      const entry = registry.get(addressKey({ kind: behaviour.kind, subject, id }))
      const activation = entry?.activation
      if (activation?.ref == null || !activation.isOpen) return undefined
      const state = activation.life?.state
      const { machines = {}, links = [] } = behaviour.describe?.(state) ?? {}
      const { chart } = behaviour
      const own = chart === undefined ? {} : { [chart.machine.id]: chart.of(state).value() }
      return {
        kind: behaviour.kind,
        id,
        machines: { [behaviour.kind]: activation.ref.getSnapshot().value, ...own, ...machines },
        links
      }
    },
    get isSupervised() {
      return actors.supervisor !== null
    }
  }
}

/** Wraps each delivery in a span, from admission to the answer. No-op without a collector. */
function inSpans(spans: Spans | undefined, deliver: Catalog['deliver']): Catalog['deliver'] {
  if (spans === undefined) return deliver
  return (request) => during(spanOf(request, spans), ({ trace }) => deliver(trace === undefined ? request : { ...request, trace }))
}

function spanOf({ address: { kind }, command, requestId, trace }: AskEnvelope, spans: Spans): SpannedWork {
  // A command that an actor sends in the course of a request has that request's id as its prefix.
  const [request = ''] = requestId.split('/', 1)
  const attributes = { 'engram.actor.kind': kind, 'engram.request.id': request }
  return { spans, name: command.type, parent: trace, attributes }
}

interface Call {
  readonly request: AskEnvelope
  /** Monotonic milliseconds of this process at its arrival, before admission. */
  readonly sinceMs: number
  /** Leaves admission: frees its permit. */
  readonly leave: () => void
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: DomainError) => void
}

/** Puts an admitted command into the mailbox of its entry. */
function accept(actors: Actors, activations: Activations, call: Call): void {
  const { request } = call
  const { options, registry } = actors
  const nowMs = options.clock.monotonicMs()
  const entry = entryOf(registry, request.address, nowMs)
  const delivery = openDelivery(actors, entry, call)
  const answer = mailboxOf(entry).offer(delivery, nowMs)
  if (answer === 'accepted') {
    noteUse(registry, entry, request, nowMs)
    if (isOpen(entry)) remindFirst(actors, entry)
    activations.serve(entry)
  } else {
    delivery.settle({
      isOk: false,
      error: answer === 'full' ? new DomainError('busy', `Too many requests wait for this ${request.address.kind}`) : deadlinePassed()
    })
  }
}

/** Puts the overdue reminder of a live actor in front of what waits. No-op if there is none, or it is under way. */
function remindFirst(actors: Actors, entry: Entry): void {
  const { behaviour, clock } = actors.options
  const { address } = entry
  const now = clock.now()
  const command = behaviour.overdue?.(entry.key, now) ?? null
  if (command === null || entry.activation?.jobs.some(({ delivery }) => delivery.command.type === command.type) === true) return
  const ignore = (): void => undefined
  const request = { address, command, requestId: `${REMINDER_REQUEST}-${now}`, deadlineMs: REMINDER_MS_MAX, isInner: true }
  const call = { request, sinceMs: clock.monotonicMs(), leave: ignore, resolve: ignore, reject: ignore }
  mailboxOf(entry).putBack(openDelivery(actors, entry, call))
}

function mailboxOf(entry: Entry): Mailbox<Delivery> {
  entry.mailbox ??= createMailbox<Delivery>({
    capacity: MAILBOX_COMMANDS_MAX,
    expire: (late) => late.settle({ isOk: false, error: deadlinePassed() })
  })
  return entry.mailbox
}

function noteUse(registry: Registry, entry: Entry, { isInner }: AskEnvelope, atMs: number): void {
  // Interface, `GET /v1/state/metrics`: commands of actors and of the clock do not make a session the last used one.
  if (!isInner) entry.usedAtMs = atMs
  registry.touch(entry, atMs)
}

/** Makes the delivery of a command to an entry, and counts it as work of the entry until it is settled. */
function openDelivery(actors: Actors, entry: Entry, { request, sinceMs, leave, resolve, reject }: Call): Delivery {
  const { clock, budget } = actors.options
  let isSettled = false
  const settle = (outcome: Outcome) => {
    if (isSettled) return
    isSettled = true
    entry.work -= 1
    if (entry.work === 0) entry.mailbox = null
    noteUse(actors.registry, entry, request, clock.monotonicMs())
    noteAnswered(actors, entry)
    giveBack(delivery)
    leave()
    if (outcome.isOk) resolve(outcome.reply)
    else reject(outcome.error)
  }
  const { command, requestId, deadlineMs, triedMs, isRepeated, trace, isForeign = false } = request
  const delivery: Delivery = {
    command,
    requestId,
    deadlineAtMs: sinceMs + deadlineMs,
    triedAtMs: triedMs === undefined ? undefined : sinceMs - triedMs,
    isRepeated,
    trace,
    hold: budget.openHold('command', request.address.subject),
    reservation: budget.openReservation(request.address.subject),
    isForeign,
    settle
  }
  entry.work += 1
  return delivery
}

function entryOf(registry: Registry, address: Address, nowMs: number): Entry {
  const known = registry.get(addressKey(address))
  if (known !== undefined) return known
  const entry = createEntry(address, nowMs)
  registry.add(entry)
  return entry
}

function sumOf<Item>(items: Iterable<Item>, count: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += count(item)
  return sum
}
