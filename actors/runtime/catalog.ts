/**
 * All actors of one kind on this node: finds or starts the one a command is for, and ends those that
 * are idle. Orleans' word. One address has at most one incarnation here; storage fences those elsewhere.
 */
import { fromPromise } from 'xstate'
import { supervisorMachine } from '../../machines/supervisor-machine.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { INBOX_COMMANDS_MAX } from '../../src/domain/limits.js'
import type { LiveActor } from '../../src/domain/topology.js'
import { fanOut } from '../asking/fan-out.js'
import type { ActorCommand, Delivery, Outcome } from '../behaviour/delivery.js'
import { writtenBytes } from '../behaviour/written-size.js'
import { createIncarnations, type Incarnations } from './activations.js'
import type { CatalogOptions } from './catalog-options.js'
import { createEntry, type Entry, isOpen } from './entry.js'
import { createMailbox } from './mailbox.js'
import { evictWhile, PASSIVATIONS_A_TURN } from './sweep.js'

/** What the requests of the clock's own commands begin with; their time follows, or an actor would take the next one for a repeated one. */
const CHORE_REQUEST = 'tick'

/** Milliseconds for one chore: an observer's sample of a thousand clusters is the longest. */
const CHORE_MS_MAX = 30_000

export interface ActorRequest {
  readonly address: Address
  readonly command: ActorCommand
  readonly requestId: string
  /** Milliseconds from now. */
  readonly deadlineMs: number
  /** See `AskEnvelope`. */
  readonly triedMs?: number
  readonly isRepeated?: boolean
  /** See `Admission.enter`. */
  readonly isInner: boolean
  /** See `AskEnvelope`. */
  readonly isForeign?: boolean
}

export interface Catalog {
  readonly kind: Address['kind']
  /** The supervisor of this catalog's actors, for the node to start. */
  readonly logic: ReturnType<typeof createSupervisorLogic>
  /** Live actors. */
  readonly activeCount: number
  /** Commands that were accepted and have not run. */
  readonly waitingCount: number
  /** Live actors that another node owns by now. Looks at each. */
  foreignCount(): number
  /** Resolves to the behaviour's reply once it is durable; rejects with a DomainError only. */
  deliver(request: ActorRequest): Promise<unknown>
  /** Gives live actors what is due by the clock. */
  tick(): Promise<void>
  /** Passivates everything; resolves when nothing is left. For a node without work in flight. */
  passivateAll(): Promise<void>
  /** Passivates those of a subject's live actors that nobody waits for, but for what storage would not keep. The rest stays as it is. */
  passivate(subject: string, ids: readonly string[]): Promise<void>
  /** Passivates what another node owns by now, and nobody here waits for. The rest goes the next time. */
  yield(): Promise<void>
  /** Ends actors where they are, unsaved, for another node may own them: what waits is refused with `fenced`. Default: all. */
  fence(isWanted?: (address: Address) => boolean): void
  /** A subject's most recently used live actor, and the milliseconds since. */
  mostRecent(subject: string): { readonly id: string; readonly idleMs: number } | undefined
  /** Addresses of all live actors, least recently used first. */
  addresses(): Address[]
  /** Ids of a subject's live actors, least recently used first. */
  activeIds(subject: string): string[]
  /** What a live actor shows of itself; undefined when it does not live here. Counts as no use of it. */
  describe(subject: string, id: string): LiveActor | undefined
  /** Whether a supervisor watches the actors: for a moment none does while it is started anew. */
  readonly isSupervised: boolean
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { behaviour, budget, clock, owns = () => true } = options
  const incarnations = createIncarnations(options)
  const { registry } = incarnations
  const take = (request: ActorRequest): Promise<unknown> =>
    new Promise((resolve, refused) => {
      const { address, command, deadlineMs, isInner } = request
      const sinceMs = clock.monotonicMs()
      const bytes = () => writtenBytes(command)
      const entered = (leave: () => void) => accept(incarnations, options, { request, sinceMs, leave, resolve, reject: refused })
      options.admission.enter('actors', { subject: address.subject, deadlineMs, isInner, bytes, entered, refused })
    })
  /** A body that came from another node is here until its command is answered; that of a client counts where it came in. */
  async function takeForeign(request: ActorRequest): Promise<unknown> {
    const body = budget.openHold('request', request.address.subject)
    body.take({ heap: writtenBytes(request.command), buffers: 0 })
    return take(request).finally(body.free)
  }
  const deliver = (request: ActorRequest): Promise<unknown> => (request.isForeign === true ? takeForeign(request) : take(request))
  const sweep = async (): Promise<void> => {
    const isIdle = (entry: Entry) => clock.monotonicMs() - entry.touchedAtMs > options.idleTtlMs
    await evictWhile(incarnations, clock, { isWanted: isIdle, isKept: (entry) => incarnations.isPinned(entry) })
  }
  return {
    kind: behaviour.kind,
    logic: createSupervisorLogic(incarnations, options, sweep),
    get activeCount() {
      return registry.activeCount
    },
    get waitingCount() {
      return sumOf(registry.entries(), (entry) => entry.mailbox?.size ?? 0)
    },
    foreignCount: () => sumOf(registry.entries(), (entry) => (isOpen(entry) && !owns(entry.address) ? 1 : 0)),
    deliver,
    async tick() {
      const due = (behaviour.chores?.(clock.now()) ?? []).filter(({ address }) => owns(address))
      const requestId = `${CHORE_REQUEST}-${clock.now()}`
      // What one subject's actors have to do keeps neither its requests nor another's actors waiting. One that is refused is due again some other time.
      const chores = [...bySubject(due)].map((own) =>
        fanOut(own, clock, (chore) => deliver({ ...chore, requestId, deadlineMs: CHORE_MS_MAX, isInner: true }).catch(() => undefined))
      )
      await Promise.all(chores)
    },
    async passivateAll() {
      const draining = new DomainError('draining', 'This node is shutting down')
      for (const entry of [...registry.entries()]) {
        incarnations.refuseWaiting(entry, draining)
        // It is being read, or its last write is under way: the machine passivates when that is done.
        if (!incarnations.isEvictable(entry)) incarnations.evict(entry)
      }
      await evictWhile(incarnations, clock, { isWanted: () => true, isKept: () => false })
      await registry.whenEmpty()
    },
    async passivate(subject, ids) {
      for (const [at, id] of ids.entries()) {
        const entry = registry.get(addressKey({ kind: behaviour.kind, subject, id }))
        if (entry !== undefined && incarnations.isEvictable(entry) && !incarnations.isPinned(entry)) incarnations.evict(entry)
        if ((at + 1) % PASSIVATIONS_A_TURN === 0) await new Promise<void>((resolve) => clock.after(0, resolve))
      }
    },
    async yield() {
      const foreign = [...registry.entries()].filter(({ address }) => !owns(address))
      for (const [at, entry] of foreign.entries()) {
        // Looked at again: it may be at work by now, or back in this node's hands.
        if (!owns(entry.address) && incarnations.isEvictable(entry)) incarnations.evict(entry)
        if ((at + 1) % PASSIVATIONS_A_TURN === 0) await new Promise<void>((resolve) => clock.after(0, resolve))
      }
    },
    fence(isWanted = () => true) {
      const fenced = new DomainError('fenced', 'Another node may own this by now')
      for (const entry of [...registry.entries()].filter(({ address }) => isWanted(address))) {
        incarnations.refuseWaiting(entry, fenced)
        entry.incarnation?.ref.send({ type: 'actor.fence' })
      }
    },
    mostRecent(subject) {
      const entry = registry.mostRecent(subject)
      return entry && { id: entry.address.id, idleMs: clock.monotonicMs() - entry.touchedAtMs }
    },
    addresses: () => [...registry.entries()].filter(isOpen).map(({ address }) => address),
    activeIds: (subject) => registry.activeIds(subject),
    describe(subject, id) {
      const entry = registry.get(addressKey({ kind: behaviour.kind, subject, id }))
      const incarnation = entry?.incarnation
      if (entry === undefined || incarnation == null || !isOpen(entry)) return undefined
      const state = incarnation.cell.life?.state
      const { machines = {}, links = [] } = behaviour.describe?.(state) ?? {}
      const { chart } = behaviour
      const own = chart === undefined ? {} : { [chart.machine.id]: chart.of(state).value }
      return { kind: behaviour.kind, id, machines: { [behaviour.kind]: incarnation.ref.getSnapshot().value, ...own, ...machines }, links }
    },
    get isSupervised() {
      return incarnations.isSupervised
    }
  }
}

/** The supervisor machine with its effects. */
function createSupervisorLogic(incarnations: Incarnations, { logger }: CatalogOptions, sweep: () => Promise<void>) {
  return supervisorMachine.provide({
    actors: { sweep: fromPromise(sweep) },
    actions: {
      adopt: ({ self }) => incarnations.adopt(self),
      abandon: () => incarnations.abandon(),
      retire: (_, { actorId, ending }) => incarnations.retire(actorId, ending),
      trim: () => incarnations.trim(),
      trimSubject: (_, { subject }) => incarnations.trimSubject(subject),
      reportSweepFailure: (_, { error }) => logger.error({ err: error }, 'A sweep failed')
    }
  })
}

interface Call {
  readonly request: ActorRequest
  /** Monotonic milliseconds of this process when it came to the door. */
  readonly sinceMs: number
  /** Gives its place back. */
  readonly leave: () => void
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: DomainError) => void
}

/** Gives an admitted command its place in the mailbox of its entry. */
function accept(incarnations: Incarnations, { clock, budget }: CatalogOptions, { request, sinceMs, leave, resolve, reject }: Call): void {
  const { registry } = incarnations
  const nowMs = clock.monotonicMs()
  const entry = entryOf(incarnations, request.address, nowMs)
  let isSettled = false
  const settle = (outcome: Outcome) => {
    if (isSettled) return
    isSettled = true
    entry.work -= 1
    if (entry.work === 0) entry.mailbox = null
    registry.touch(entry, clock.monotonicMs())
    incarnations.tidy(entry)
    delivery.hold.free()
    leave()
    if (outcome.isOk) resolve(outcome.reply)
    else reject(outcome.error)
  }
  const { command, requestId, deadlineMs, triedMs, isRepeated, isForeign = false } = request
  const tried = { ...(triedMs !== undefined && { triedAtMs: sinceMs - triedMs }), ...(isRepeated === true && { isRepeated }) }
  const delivery: Delivery = {
    command,
    requestId,
    deadlineAtMs: sinceMs + deadlineMs,
    ...tried,
    hold: budget.openHold('command', request.address.subject),
    isFresh: false,
    isForeign,
    settle
  }
  entry.work += 1
  entry.mailbox ??= createMailbox<Delivery>({
    capacity: INBOX_COMMANDS_MAX,
    expire: (late) => late.settle({ isOk: false, error: deadlinePassed() })
  })
  const answer = entry.mailbox.offer(delivery, nowMs)
  if (answer === 'accepted') {
    registry.touch(entry, nowMs)
    incarnations.serve(entry)
  } else {
    settle({
      isOk: false,
      error: answer === 'full' ? new DomainError('busy', `Too many requests wait for this ${request.address.kind}`) : deadlinePassed()
    })
  }
}

function entryOf({ registry }: Incarnations, address: Address, nowMs: number): Entry {
  const known = registry.get(addressKey(address))
  if (known !== undefined) return known
  const entry = createEntry(address, nowMs)
  registry.add(entry)
  return entry
}

function bySubject<Item extends { readonly address: Address }>(items: readonly Item[]): IterableIterator<Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const { subject } = item.address
    const own = groups.get(subject)
    if (own === undefined) groups.set(subject, [item])
    else own.push(item)
  }
  return groups.values()
}

function sumOf<Item>(items: Iterable<Item>, count: (item: Item) => number): number {
  let sum = 0
  for (const item of items) sum += count(item)
  return sum
}
