/**
 * Model of what may happen to one request between two owners of one record: states as plain values, and every step that may follow each.
 * `search.ts` explores all of them. Times are ticks. See docs/exactly-once.md for what is modelled.
 */

import type { Bounds, Kind, Log, Message, Note, OwnerNode, State, Step, StoredState, Switches } from './state.js'

const REQUEST = 0
const RETRIED_MAX = 1
const DEADLINE = 2
const SKEW = 1
/** Longest life of a copy, plus twice the most by which two clocks differ. */
const RETRIED_TICKS = DEADLINE + 2 * SKEW
const TOMBSTONE_TICKS = DEADLINE + 2 * SKEW
const NO_LOG: Log = { slots: [], isFull: false, retried: [] }
const NAMES = ['A', 'B'] as const

export function startStates({ clocks }: Switches): State[] {
  const node: OwnerNode = { incarnation: 0, stoppedAt: null, memory: null, arriving: [], waiting: [] }
  const first: OwnerNode = { ...node, arriving: [{ attempt: 0, incarnation: 0, sentAt: 0 }] }
  const skews = clocks ? [-SKEW, 0, SKEW] : [-4 * SKEW, 4 * SKEW]
  const records = [{ epoch: 1, log: NO_LOG, content: [] }, null]
  return skews.flatMap((skew) =>
    records.map((record) => ({
      ...{ now: 0, skew, record, tombstone: null, epoch: 1, nodes: [first, node] as const },
      ...{ attempts: 1, isDoubled: false, stops: 0, others: 0, acknowledged: [], effects: 0, told: null, violation: null }
    }))
  )
}

/** Key of a state, equal for indistinguishable states: of epochs, only whether a node's memory is of the record's epoch matters. */
export function keyOf(state: State, { fencing }: Switches): string {
  const memoryOf = ({ memory }: OwnerNode) =>
    memory === null ? 0 : memory.epoch === state.record?.epoch ? 1 : fencing ? 2 : [memory.log, memory.content]
  const nodes = state.nodes.map((node) => [node.incarnation, node.stoppedAt, node.arriving, node.waiting, memoryOf(node)])
  const { record, epoch: _, ...rest } = state
  return JSON.stringify([rest, record?.log, record?.content, nodes], (key, value: unknown) => (key === 'nodes' ? undefined : value))
}

/** Whether nothing more can happen to the request. Never without fencing, because a writer may then still write what it remembers. */
function isOver({ nodes, attempts, told, now }: State, { fencing }: Switches, { retriesMax }: Bounds): boolean {
  const isUnderWay = nodes.some(({ arriving, waiting }) => arriving.length + waiting.length > 0)
  return fencing && !isUnderWay && (told !== null || attempts > retriesMax || now >= DEADLINE)
}

/** All steps that may come next. */
export function* stepsFrom(state: State, switches: Switches, bounds: Bounds): Generator<Step> {
  if (isOver(state, switches, bounds)) return
  if (state.now < bounds.ticksMax) yield { label: 'a tick passes', next: { ...state, now: state.now + 1 } }
  const { tombstone } = state
  if (tombstone !== null && (!switches.lasting || state.now - tombstone.at > TOMBSTONE_TICKS))
    yield { label: 'the tombstone goes', next: { ...state, tombstone: null } }
  for (const index of [0, 1] as const) {
    const node = state.nodes[index]
    if (state.attempts <= bounds.retriesMax && state.told === null && state.now < DEADLINE) yield retry(state, index)
    if (node.stoppedAt !== null) {
      yield resume(state, index, switches)
      continue
    }
    const stopped = { ...withNode(state, index, { ...node, stoppedAt: state.now }), stops: state.stops + 1 }
    if (state.stops < bounds.stopsMax) yield { label: `${NAMES[index]} stands still`, next: stopped }
    for (const message of node.arriving) yield* read(state, index, message, switches)
    if (!switches.ages || state.now < DEADLINE) for (const message of node.waiting) yield serve(state, index, message, switches, bounds)
    if (state.others < bounds.othersMax) yield* others(state, index, switches, bounds)
  }
}

function retry(state: State, index: 0 | 1): Step {
  const node = state.nodes[index]
  const message = { attempt: state.attempts, incarnation: node.incarnation, sentAt: state.now }
  const next = { ...withNode(state, index, { ...node, arriving: [...node.arriving, message] }), attempts: state.attempts + 1 }
  return { label: `the retry ${String(state.attempts)} is sent to ${NAMES[index]}`, next }
}

function resume(state: State, index: 0 | 1, { incarnations }: Switches): Step {
  const node = state.nodes[index]
  const isAnother = incarnations && state.now > (node.stoppedAt ?? 0)
  const renewed = isAnother ? { incarnation: node.incarnation + 1, memory: null, waiting: [] } : {}
  return {
    label: `${NAMES[index]} goes on${isAnother ? ', as another one' : ''}`,
    next: withNode(state, index, { ...node, ...renewed, stoppedAt: null })
  }
}

function* read(state: State, index: 0 | 1, message: Message, { incarnations, ages, givenOnce }: Switches): Generator<Step> {
  const node = state.nodes[index]
  const what = `${NAMES[index]} reads ${nameOf(message)}`
  const arriving = without(node.arriving, message)
  const isMeant = !incarnations || message.incarnation === node.incarnation
  // Each retry has only the rest of the deadline, so all copies expire at the same time.
  const isAlive = !ages || state.now < DEADLINE
  if (!isMeant || !isAlive) {
    yield { label: `${what} and refuses it`, next: withNode(state, index, { ...node, arriving }) }
    return
  }
  const waiting = [...node.waiting, message]
  yield { label: what, next: withNode(state, index, { ...node, arriving, waiting }) }
  if (!givenOnce && !state.isDoubled)
    yield { label: `${what}, and will be given it once more`, next: { ...withNode(state, index, { ...node, waiting }), isDoubled: true } }
}

/** Lets the owner carry out one part of a waiting message: the takeover of the record, or the step with its commit. */
function serve(state: State, index: 0 | 1, message: Message, switches: Switches, { kind, ring: ringMax }: Bounds): Step {
  const node = state.nodes[index]
  const rest = { ...node, waiting: without(node.waiting, message) }
  const what = `${NAMES[index]} ${message.attempt === 0 ? 'runs the first try' : `runs ${nameOf(message)}`}`
  if (node.memory === null && state.record !== null)
    return { label: `${NAMES[index]} takes the record over`, next: takenOver(state, index, state.record) }
  const log = node.memory?.log ?? state.tombstone?.log ?? NO_LOG
  const at = timeAt(state, index)
  const isRetried = message.attempt > 0
  const waitingNoMore = withNode(state, index, rest)
  if (isKnown(log, REQUEST)) return { label: `${what}: it finds that it was done`, next: told(waitingNoMore, message, 'done') }
  if (isRetried && isDoubtful(log, { at, tried: state.now }, switches))
    return { label: `${what}: the outcome is unknown`, next: waitingNoMore }
  const noted = note(log, { id: REQUEST, at }, isRetried, { switches, ringMax })
  if (node.memory === null) {
    if (kind !== 'run')
      return {
        label: `${what}: there is no record`,
        next: isRetried && switches.refusals ? waitingNoMore : told(waitingNoMore, message, 'no')
      }
    const made = { ...waitingNoMore, epoch: state.epoch + 1, tombstone: null }
    return {
      label: `${what}: it makes the record`,
      next: told(written(counted(made), index, { epoch: made.epoch, log: noted, content: [] }), message, 'done')
    }
  }
  if (isFenced(state, node.memory, switches)) {
    const waiting = switches.forgets ? [] : node.waiting
    return { label: `${what}: it is fenced`, next: withNode(state, index, { ...node, memory: null, waiting }) }
  }
  if (kind === 'clear' && node.memory.content.length === 0) {
    const memory = { ...node.memory, log: isRetried && switches.idles ? noted : log }
    return { label: `${what}: there is nothing to do`, next: told(written(waitingNoMore, index, memory), message, 'done') }
  }
  return {
    label: `${what}: it is done`,
    next: told(carriedOut(counted(waitingNoMore), index, { ...node.memory, log: noted }, { kind, switches }), message, 'done')
  }
}

function carriedOut(
  state: State,
  index: 0 | 1,
  memory: StoredState,
  { kind, switches }: { readonly kind: Kind; readonly switches: Switches }
): State {
  if (kind === 'delete') return removed(state, index, memory.log, switches)
  return kind === 'clear' ? written({ ...state, acknowledged: [] }, index, { ...memory, content: [] }) : written(state, index, memory)
}

/** Changes by another client, each done and acknowledged at once. */
function* others(state: State, index: 0 | 1, switches: Switches, { ring: ringMax }: Bounds): Generator<Step> {
  const id = state.others + 1
  const begun = { ...state, others: id }
  const at = timeAt(state, index)
  const by = `at ${NAMES[index]}`
  if (state.record === null) {
    const log = note(state.tombstone?.log ?? NO_LOG, { id, at }, false, { switches, ringMax })
    const made = { ...begun, epoch: state.epoch + 1, tombstone: null }
    yield {
      label: `another client makes the record anew and stores ${String(id)} ${by}`,
      next: stored(made, index, { epoch: made.epoch, log, content: [id] }, id)
    }
    return
  }
  const { memory } = state.nodes[index]
  const isMine = memory !== null && !isFenced(state, memory, switches)
  const held = isMine ? begun : takenOver(begun, index, state.record)
  const mine = held.nodes[index].memory
  if (mine === null) return
  const change = (isRetried: boolean) => ({
    ...mine,
    log: note(mine.log, { id, at }, isRetried, { switches, ringMax }),
    content: [...mine.content, id]
  })
  yield { label: `another client stores ${String(id)} ${by}`, next: stored(held, index, change(false), id) }
  if (hasRoom(mine.log, at))
    yield { label: `another client stores ${String(id)} ${by}, as a retry`, next: stored(held, index, change(true), id) }
  yield {
    label: `another client removes the record ${by}`,
    next: { ...removed(held, index, note(mine.log, { id, at }, false, { switches, ringMax }), switches), acknowledged: [] }
  }
}

function takenOver(state: State, index: 0 | 1, record: StoredState): State {
  const epoch = state.epoch + 1
  const mine = { ...record, epoch }
  return { ...withNode(state, index, { ...state.nodes[index], memory: mine }), epoch, record: mine }
}

function stored(state: State, index: 0 | 1, record: StoredState, id: number): State {
  return written({ ...state, acknowledged: [...state.acknowledged, id] }, index, record)
}

function written(state: State, index: 0 | 1, record: StoredState): State {
  const lost = state.acknowledged.find((id) => !record.content.includes(id))
  const violation = state.violation ?? (lost === undefined ? null : `the acknowledged change ${String(lost)} is lost`)
  return { ...withNode(state, index, { ...state.nodes[index], memory: record }), record, violation }
}

function removed(state: State, index: 0 | 1, log: Log, { tombstones }: Switches): State {
  const next = withNode(state, index, { ...state.nodes[index], memory: null })
  return { ...next, record: null, tombstone: tombstones ? { log, at: state.now } : null, acknowledged: [] }
}

function counted(state: State): State {
  const effects = state.effects + 1
  const problem = effects > 1 ? 'the request is done twice' : state.told === null ? null : AFTER[state.told]
  return { ...state, effects, violation: state.violation ?? problem }
}

const AFTER = { no: 'it is done after a definite no', done: 'it is done after it was acknowledged' }

/** Answers the client. Only the answer to the last try reaches it. */
function told(state: State, { attempt }: Message, answer: 'no' | 'done'): State {
  if (attempt + 1 < state.attempts) return state
  const problem = answer === 'no' && state.effects > 0 ? 'a definite no for what was done' : null
  return { ...state, told: answer, violation: state.violation ?? problem }
}

function isFenced({ record }: State, memory: StoredState, { fencing }: Switches): boolean {
  return fencing && record?.epoch !== memory.epoch
}

function isKnown({ slots, retried }: Log, id: number): boolean {
  return slots.some((slot) => slot.id === id) || retried.some((slot) => slot.id === id)
}

/** Whether the log may have lost the request. `tried`: ticks since the first try, which began at 0. */
function isDoubtful(log: Log, { at, tried }: { at: number; tried: number }, { doubts, retries }: Switches): boolean {
  const [oldest] = log.slots
  const mayHaveLeft = log.isFull && oldest !== undefined && oldest.at >= at - tried - SKEW
  return (doubts && mayHaveLeft) || (retries && !hasRoom(log, at))
}

function hasRoom({ retried: [oldest, ...more] }: Log, at: number): boolean {
  return oldest === undefined || more.length + 1 < RETRIED_MAX || at - oldest.at > RETRIED_TICKS
}

interface Noting {
  readonly switches: Switches
  readonly ringMax: number
}

function note(log: Log, entry: Note, isRetried: boolean, { switches: { ring, retries }, ringMax }: Noting): Log {
  const slots = ring ? [...log.slots, entry] : []
  const retried = isRetried && retries ? [...log.retried, entry].slice(-RETRIED_MAX) : log.retried
  return { slots: slots.slice(-ringMax), isFull: log.isFull || slots.length > ringMax, retried }
}

function timeAt({ now, skew }: State, index: 0 | 1): number {
  return index === 0 ? now : now + skew
}

function withNode(state: State, index: 0 | 1, node: OwnerNode): State {
  return { ...state, nodes: index === 0 ? [node, state.nodes[1]] : [state.nodes[0], node] }
}

function without(messages: readonly Message[], message: Message): Message[] {
  const at = messages.indexOf(message)
  return messages.filter((_, index) => index !== at)
}

function nameOf({ attempt }: Message): string {
  return attempt === 0 ? 'the first try' : `the retry ${String(attempt)}`
}
