/** What the catalog holds of one address: what outlives an activation, and what dies with it. */
import type { LifecycleCommand } from '../../machines/lifecycle.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import type { DomainError } from '../../src/domain/errors.js'
import type { MachineState } from '../../src/domain/topology.js'
import { type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Cancel } from '../../src/ports.js'
import type { StepResult } from '../behaviour/behaviour.js'
import type { Delivery } from '../behaviour/delivery.js'
import type { Life } from './host.js'
import type { Mailbox } from './mailbox.js'
import { createOutputGate, type OutputGate } from './output-gate.js'

/** How a step ended. */
export type Stepped = { readonly isOk: true; readonly result: StepResult<unknown> } | { readonly isOk: false; readonly error: unknown }

/** What its preparation made for a step; null where the request ran before, or is the runtime's own. */
export type Ready = { readonly prepared: unknown } | null

/** A command from the moment its preparation starts to its step. */
export interface Job {
  /** Counts up with the cell's jobs. */
  readonly number: number
  readonly delivery: Delivery
  readonly preparation: AbortController
  readonly cancelDeadline: Cancel
  ready: Ready
  /** Why it could not be prepared; null when it could. Its step is then this refusal. */
  refused: DomainError | null
  /** Monotonic milliseconds; null while it prepares. */
  readyAtMs: number | null
  /** True once the machine was asked to run its step. */
  isSent: boolean
  /** True: its state cannot be settled for it in pieces, and is by its step. */
  isUnsettled: boolean
  /** Null until its step has ended. */
  stepped: Stepped | null
}

/** One activation's data: the state, who may write it, and what is on its way. Never in a machine's context. */
export interface Cell {
  readonly entry: Entry
  /** Null before activation. */
  life: Life | null
  readonly gate: OutputGate
  /** Jobs that have not run, in the order of arrival. */
  jobs: Job[]
  /** How many there ever were. */
  jobCount: number
  cancelGrace: Cancel | null
  /** Gives the place back that it reads its record in; null when it has none. */
  releasePermit: (() => void) | null
  /** What was read of the record before it was taken over. */
  storedHead: { readonly head: unknown } | null
  /** How often another writer made the record first. */
  rounds: number
  /** True while its state is settled, or a step runs, in pieces, of which some are left: no other step begins. */
  isMidway: boolean
  /** Whether steps may run. */
  isOpen: boolean
  /** True when one command alone made it fail, a poison message: that one is answered, the others are delivered again. */
  hasPoison: boolean
  /** True when that command came from another node, which may send anything. */
  isFaultForeign: boolean
}

/** As much of an actor of any kind's machine as the runtime asks for. */
export interface LifecycleRef {
  send(command: LifecycleCommand): void
  getSnapshot(): { readonly value: MachineState }
}

export interface Activation {
  readonly ref: LifecycleRef
  readonly cell: Cell
}

export interface Entry {
  readonly key: string
  readonly address: Address
  activation: Activation | null
  /** Commands accepted and not yet answered. */
  work: number
  /** Null while there is no work: an idle actor keeps no queue. */
  mailbox: Mailbox<Delivery> | null
  /** Monotonic milliseconds of the last acceptance or answer. */
  touchedAtMs: number
  /** Monotonic milliseconds of the last command of a client; null before any. What other actors and the clock ask does not count. */
  usedAtMs: number | null
  /** Bytes that it takes in memory: what it was last known to, or is about to, take. */
  weight: Weight
  /** True while there is no actor, but a record that a storage which retains nothing keeps for its next activation. */
  isDormant: boolean
}

/** An address that nothing is known of yet. */
export function createEntry(address: Address, nowMs: number): Entry {
  return {
    key: addressKey(address),
    address,
    activation: null,
    work: 0,
    mailbox: null,
    touchedAtMs: nowMs,
    usedAtMs: null,
    weight: WEIGHTLESS,
    isDormant: false
  }
}

export function createCell(entry: Entry): Cell {
  return {
    entry,
    life: null,
    gate: createOutputGate(),
    jobs: [],
    jobCount: 0,
    cancelGrace: null,
    releasePermit: null,
    storedHead: null,
    rounds: 0,
    isMidway: false,
    isOpen: false,
    hasPoison: false,
    isFaultForeign: false
  }
}

/** Puts a job on the list. `startDeadline` is called with it; what it returns stops its timer. */
export function addJob(cell: Cell, delivery: Delivery, startDeadline: (job: Job) => Cancel): Job {
  const job: Job & { cancelDeadline: Cancel } = {
    number: cell.jobCount++,
    delivery,
    preparation: new AbortController(),
    cancelDeadline: () => undefined,
    ready: null,
    refused: null,
    readyAtMs: null,
    isSent: false,
    isUnsettled: false,
    stepped: null
  }
  job.cancelDeadline = startDeadline(job)
  cell.jobs.push(job)
  return job
}

/** Takes a job off the list, freeing its place in the mailbox; false when it has left already. */
export function removeJob(cell: Cell, job: Job): boolean {
  const index = cell.jobs.indexOf(job)
  if (index === -1) return false
  job.cancelDeadline()
  cell.jobs.splice(index, 1)
  cell.entry.mailbox?.finish()
  return true
}

/** Sends a command to the machine of the cell's actor, unless that has another cell by now. */
export function send(cell: Cell, command: LifecycleCommand): void {
  const { activation } = cell.entry
  if (activation?.cell === cell) activation.ref.send(command)
}

export function releasePermit(cell: Cell): void {
  cell.releasePermit?.()
  cell.releasePermit = null
}

/** Whether steps may run for this address now. */
export function isOpen(entry: Entry): boolean {
  return entry.activation?.cell.isOpen === true
}
