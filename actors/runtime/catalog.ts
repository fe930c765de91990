/**
 * All actors of one kind on this node: finds or starts the one a command is for, and ends those that
 * are idle. Orleans' word. One address has at most one activation here; storage fences those elsewhere.
 */
import { type Address, addressKey } from '../../src/domain/address.js'
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { MAILBOX_COMMANDS_MAX } from '../../src/domain/limits.js'
import type { LiveActor } from '../../src/domain/topology.js'
import { type AskAnswer, type AskEnvelope, refuse } from '../asking/envelope.js'
import { fanOut } from '../asking/fan-out.js'
import { type Delivery, giveBack, type Outcome } from '../behaviour/delivery.js'
import { writtenBytes } from '../behaviour/written-size.js'
import { type Activations, createActivations } from './activations.js'
import { during, type SpannedWork, type Spans } from '../../src/spans.js'
import type { CatalogOptions } from './catalog-options.js'
import { createEntry, type Entry, isOpen } from './entry.js'
import { createMailbox } from './mailbox.js'
import { createSupervisorLogic, type SupervisorLogic } from './supervisor-logic.js'
import { evictEach, evictWhile } from './sweep.js'

/** What the requests of the clock's own commands begin with; their time follows, or an actor would take the next one for a repeated one. */
const REMINDER_REQUEST = 'tick'

/** Milliseconds for one reminder: an observer's sample of a thousand clusters is the longest. */
const REMINDER_MS_MAX = 30_000

export interface Catalog {
  readonly kind: Address['kind']
  /** The supervisor of this catalog's actors, for the node to start. */
  readonly logic: SupervisorLogic
  /** Live actors. */
  readonly activeCount: number
  /** Commands that were accepted and have not run. */
  readonly waitingCount: number
  /** Live actors that another node owns by now. Looks at each. */
  foreignCount(): number
  /** Answers an ask from the bus, with a reply that is durable or a refusal. Never rejects. */
  answer(body: unknown): Promise<AskAnswer>
  /** Resolves to the behaviour's reply once it is durable; rejects with a DomainError only. */
  deliver(request: AskEnvelope): Promise<unknown>
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
  /** The live actor of a subject that a client used last, and the milliseconds since. */
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
  const { behaviour, budget, clock, owns } = options
  const activations = createActivations(options)
  const { registry } = activations
  const take = (request: AskEnvelope): Promise<unknown> =>
    new Promise((resolve, refused) => {
      const { address, command, deadlineMs, isInner } = request
      const sinceMs = clock.monotonicMs()
      const bytes = () => writtenBytes(command)
      const entered = (leave: () => void) => accept(activations, options, { request, sinceMs, leave, resolve, reject: refused })
      options.admission.enter('actors', { subject: address.subject, deadlineMs, isInner, bytes, entered, refused })
    })
  /** A body that came from another node is here until its command is answered; that of a client counts where it came in. */
  async function takeForeign(request: AskEnvelope): Promise<unknown> {
    const body = budget.openHold('request', request.address.subject)
    body.take({ heap: writtenBytes(request.command), buffers: 0 })
    return take(request).finally(body.free)
  }
  const deliver = (request: AskEnvelope): Promise<unknown> => (request.isForeign === true ? takeForeign(request) : take(request))
  const delivered = inSpans(options.spans, deliver)
  const sweep = async (): Promise<void> => {
    const isIdle = (entry: Entry) => clock.monotonicMs() - entry.touchedAtMs > options.idleTtlMs
    await evictWhile(activations, clock, { isWanted: isIdle, isKept: (entry) => activations.isIrreplaceable(entry) })
  }
  return {
    kind: behaviour.kind,
    logic: createSupervisorLogic(activations, options.logger, sweep),
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
      const due = all.filter(({ address }) => owns(address))
      // What still lives here may stay: were this node its owner again, nothing would activate it.
      for (const { address } of all)
        if (!owns(address) && registry.get(addressKey(address)) === undefined) behaviour.forgetReminders?.(address)
      const requestId = `${REMINDER_REQUEST}-${clock.now()}`
      // What one subject's actors have to do keeps neither its requests nor another's actors waiting. One that is refused is due again some
      // other time.
      const reminders = [...bySubject(due)].map((own) =>
        fanOut(own, clock, (reminder) =>
          deliver({ ...reminder, requestId, deadlineMs: REMINDER_MS_MAX, isInner: true }).catch(() => undefined)
        )
      )
      await Promise.all(reminders)
    },
    async passivateAll() {
      const draining = new DomainError('draining', 'This node is shutting down')
      for (const entry of [...registry.entries()]) {
        activations.refuseWaiting(entry, draining)
        // It is being read, or its last write is under way: the machine passivates when that is done.
        if (!activations.isEvictable(entry)) activations.evict(entry)
      }
      await evictWhile(activations, clock, { isWanted: () => true, isKept: () => false })
      await registry.whenEmpty()
    },
    async passivate(subject, ids) {
      const entries = ids.flatMap((id) => registry.get(addressKey({ kind: behaviour.kind, subject, id })) ?? [])
      await evictEach(activations, clock, { entries, isWanted: (entry) => !activations.isIrreplaceable(entry) })
    },
    async yield() {
      const isForeign = ({ address }: Entry) => !owns(address)
      // Looked at again in its turn: it may be back in this node's hands by then.
      await evictEach(activations, clock, { entries: [...registry.entries()].filter(isForeign), isWanted: isForeign })
    },
    fence(isWanted = () => true) {
      // What waits for them is refused when they have ended.
      for (const entry of [...registry.entries()]) if (isWanted(entry.address)) entry.activation?.ref.send({ type: 'actor.fence' })
    },
    mostRecent(subject) {
      const entry = registry.mostRecent(subject)
      return entry && { id: entry.address.id, idleMs: clock.monotonicMs() - (entry.usedAtMs ?? entry.touchedAtMs) }
    },
    addresses: () => [...registry.entries()].filter(isOpen).map(({ address }) => address),
    activeIds: (subject) => registry.activeIds(subject),
    describe(subject, id) {
      const entry = registry.get(addressKey({ kind: behaviour.kind, subject, id }))
      const activation = entry?.activation
      if (entry === undefined || activation == null || !isOpen(entry)) return undefined
      const state = activation.cell.life?.state
      const { machines = {}, links = [] } = behaviour.describe?.(state) ?? {}
      const { chart } = behaviour
      const own = chart === undefined ? {} : { [chart.machine.id]: chart.of(state).value() }
      return { kind: behaviour.kind, id, machines: { [behaviour.kind]: activation.ref.getSnapshot().value, ...own, ...machines }, links }
    },
    get isSupervised() {
      return activations.isSupervised
    }
  }
}

/** Each delivery within a span, from the door to the answer; where nobody collects, as it is. */
function inSpans(spans: Spans | undefined, deliver: Catalog['deliver']): Catalog['deliver'] {
  if (spans === undefined) return deliver
  return (request) => during(spanOf(request, spans), ({ trace }) => deliver(trace === undefined ? request : { ...request, trace }))
}

function spanOf({ address: { kind }, command, requestId, trace }: AskEnvelope, spans: Spans): SpannedWork {
  // What actors ask in the course of a request has its id, and behind it those of the actors.
  const [request = ''] = requestId.split('/', 1)
  const attributes = { 'engram.actor.kind': kind, 'engram.request.id': request }
  return { spans, name: command.type, parent: trace, attributes }
}

interface Call {
  readonly request: AskEnvelope
  /** Monotonic milliseconds of this process when it came to the door. */
  readonly sinceMs: number
  /** Gives its place back. */
  readonly leave: () => void
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: DomainError) => void
}

/** Gives an admitted command its place in the mailbox of its entry. */
function accept(activations: Activations, { clock, budget }: CatalogOptions, { request, sinceMs, leave, resolve, reject }: Call): void {
  const { registry } = activations
  const nowMs = clock.monotonicMs()
  const entry = entryOf(activations, request.address, nowMs)
  const note = (atMs: number): void => {
    // Interface, `GET /v1/state/metrics`: what actors and the clock look at does not become the session used last.
    if (!request.isInner) entry.usedAtMs = atMs
    registry.touch(entry, atMs)
  }
  let isSettled = false
  const settle = (outcome: Outcome) => {
    if (isSettled) return
    isSettled = true
    entry.work -= 1
    if (entry.work === 0) entry.mailbox = null
    note(clock.monotonicMs())
    activations.rest(entry)
    giveBack(delivery)
    leave()
    if (outcome.isOk) resolve(outcome.reply)
    else reject(outcome.error)
  }
  const { command, requestId, deadlineMs, triedMs, isRepeated, trace, isForeign = false } = request
  const tried = { ...(triedMs !== undefined && { triedAtMs: sinceMs - triedMs }), ...(isRepeated === true && { isRepeated }) }
  const delivery: Delivery = {
    command,
    requestId,
    deadlineAtMs: sinceMs + deadlineMs,
    hold: budget.openHold('command', request.address.subject),
    keep: budget.openKeep(request.address.subject),
    isFresh: false,
    isForeign,
    settle,
    ...tried,
    ...(trace !== undefined && { trace })
  }
  entry.work += 1
  entry.mailbox ??= createMailbox<Delivery>({
    capacity: MAILBOX_COMMANDS_MAX,
    expire: (late) => late.settle({ isOk: false, error: deadlinePassed() })
  })
  const answer = entry.mailbox.offer(delivery, nowMs)
  if (answer === 'accepted') {
    note(nowMs)
    activations.serve(entry)
  } else {
    settle({
      isOk: false,
      error: answer === 'full' ? new DomainError('busy', `Too many requests wait for this ${request.address.kind}`) : deadlinePassed()
    })
  }
}

function entryOf({ registry }: Activations, address: Address, nowMs: number): Entry {
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
