/** Data that a catalog holds of one address: the entry, which outlives activations, and its present activation. */
import type { LifecycleCommand } from '../../machines/lifecycle.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import type { MachineState } from '../../src/domain/nodes/topology.js'
import { type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Cancel } from '../../src/ports.js'
import type { Delivery } from '../behaviour/delivery.js'
import type { LiveState } from './host.js'
import type { Mailbox } from './mailbox.js'
import { createOutputGate, type OutputGate, type Stepped } from './output-gate.js'

/** Result of a preparation, for the step; null where the request ran before, or is the runtime's own. */
export type Ready = { readonly prepared: unknown } | null

/** A command from the moment its preparation starts to its step. */
export interface Job {
  readonly delivery: Delivery
  readonly preparation: AbortController
  readonly cancelDeadline: Cancel
  ready: Ready
  /** Monotonic milliseconds; null while it prepares. */
  readyAtMs: number | null
  /** True once its step was queued with the processor. */
  isSent: boolean
  /** True: settling the state for it in pieces failed, so that its step has to settle the state. */
  isUnsettled: boolean
  /** Null until its step has ended, or its preparation with a refusal, which the step would end with. */
  stepped: Stepped | null
}

/** One activation: the state, the write token, and the commands under way. Never in a machine's context but as an opaque handle. */
export interface Activation {
  readonly entry: Entry
  /** Null until the actor is made. */
  ref: LifecycleRef | null
  /** Null until it was restored or made. */
  life: LiveState | null
  readonly gate: OutputGate
  /** Jobs that have not run, in the order of arrival. */
  jobs: Job[]
  cancelGrace: Cancel | null
  /** Releases the permit to read its record; null when it holds none. */
  releasePermit: (() => void) | null
  /** Head of the record as read before the record was taken over. */
  storedHead: { readonly head: unknown } | null
  /** Number of times that another writer created the record first. */
  rounds: number
  /** True while settling the state, or a step, is unfinished and goes on in later time slices: no other step begins. */
  isMidway: boolean
  /** Whether steps may run. */
  isOpen: boolean
  /** The command, a poison message, that made it fail by itself: it is answered, and the others are delivered again. Null if none did. */
  poison: Delivery | null
}

/** The part of an XState actor's interface that the runtime uses, for machines of every kind. */
interface LifecycleRef {
  send(command: LifecycleCommand): void
  getSnapshot(): { readonly value: MachineState }
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
  /** Monotonic milliseconds of the last command of a client; null before any. Commands of other actors and of the clock do not count. */
  usedAtMs: number | null
  /** Bytes in memory: as last weighed, or reserved for an activation under way. */
  weight: Weight
  /** True while there is no actor, but its record is still in a storage that is not durable, for the next activation. */
  isDormant: boolean
}

/** Creates the entry of an address without an actor. */
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

/** `ref`: the actor, if it was evicted and revived. */
export function createActivation(entry: Entry, ref: LifecycleRef | null = null): Activation {
  return {
    entry,
    ref,
    life: null,
    gate: createOutputGate(),
    jobs: [],
    cancelGrace: null,
    releasePermit: null,
    storedHead: null,
    rounds: 0,
    isMidway: false,
    isOpen: false,
    poison: null
  }
}

/** Adds a job to the activation. `startDeadline` starts the job's deadline timer and returns the function that stops it. */
export function addJob(activation: Activation, delivery: Delivery, startDeadline: (job: Job) => Cancel): Job {
  const job: Job & { cancelDeadline: Cancel } = {
    delivery,
    preparation: new AbortController(),
    cancelDeadline: () => undefined,
    ready: null,
    readyAtMs: null,
    isSent: false,
    isUnsettled: false,
    stepped: null
  }
  job.cancelDeadline = startDeadline(job)
  activation.jobs.push(job)
  return job
}

/** Removes a job from the activation and frees its place in the mailbox. Returns false if it was removed before. */
export function removeJob(activation: Activation, job: Job): boolean {
  const index = activation.jobs.indexOf(job)
  if (index === -1) return false
  job.cancelDeadline()
  activation.jobs.splice(index, 1)
  activation.entry.mailbox?.finish()
  return true
}

/** Aborts every job without an answer. Their commands go back to the mailbox, in the order of arrival. */
export function giveUpJobs(activation: Activation): void {
  activation.cancelGrace?.()
  activation.cancelGrace = null
  for (const job of activation.jobs) {
    job.cancelDeadline()
    job.preparation.abort()
  }
  const deliveries = activation.jobs.map(({ delivery }) => delivery)
  activation.jobs = []
  if (deliveries.length > 0) activation.entry.mailbox?.restore(deliveries)
}

/** Sends a command to the machine of the activation's actor. No-op once the activation is over. */
export function send(activation: Activation, command: LifecycleCommand): void {
  if (activation.entry.activation === activation) activation.ref?.send(command)
}

export function releasePermit(activation: Activation): void {
  activation.releasePermit?.()
  activation.releasePermit = null
}

/** Whether steps may run for this address now. */
export function isOpen(entry: Entry): boolean {
  return entry.activation?.isOpen === true
}
