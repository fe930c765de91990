/** Runs a behaviour as the runtime does, command by command, with its log, outbox and weight but without a node. */
import type { Behaviour, InitiateMeta, RequestMeta, StepResult } from '../../actors/behaviour/behaviour.js'
import type { ActorCommand, Delivery } from '../../actors/behaviour/delivery.js'
import { type Host, initiateLiveState, type LiveState, restoreLiveState, weightOfLiveState } from '../../actors/runtime/host.js'
import { prepare, step } from '../../actors/runtime/jobs.js'
import type { Address } from '../../src/domain/address.js'
import { inOneGo } from '../../src/domain/pieces.js'
import type { Weight } from '../../src/domain/fairness/weight.js'
import type { StoredRecord, StoredRow } from '../../src/ports.js'
import { createManualClock } from './manual-clock.js'
import { unlimitedBudget } from './unlimited-budget.js'
import { UNWATCHED } from './unwatched.js'

/** Default: no limits, no log, and nobody to deliver to. */
export function hostOf(behaviour: object, options: Partial<Host> = {}): Host {
  return {
    behaviour: behaviour as Behaviour<unknown, ActorCommand, unknown, unknown>,
    relay: { send: async () => undefined, settled: () => undefined, wake: () => undefined, isDelivered: () => false },
    clock: createManualClock(),
    isShared: false,
    recordBytesMax: Infinity,
    budget: unlimitedBudget(),
    counters: { count: () => undefined },
    watch: UNWATCHED,
    ...options
  }
}

export function hosted(host: Host) {
  return {
    initiate: (command: ActorCommand, meta: Omit<InitiateMeta, 'room'>, left?: readonly StoredRow[]) =>
      initiateLiveState(host, command, meta, left),
    restore: (address: Address, record: StoredRecord): LiveState => inOneGo(restoreLiveState(host, address, record)),
    weigh: (life: Omit<LiveState, 'token'>): Weight => weightOfLiveState(host, life),
    /** Prepares and steps one command. `isFresh`: the record is created with it. */
    async run(life: LiveState, command: ActorCommand, request: RequestMeta, isFresh = false): Promise<StepResult<unknown>> {
      const clock = { ...createManualClock(), now: () => request.now, monotonicMs: () => request.triedMs ?? 0 }
      const delivery: Delivery = {
        command,
        requestId: request.requestId,
        ...(request.triedMs !== undefined && { triedAtMs: 0 }),
        ...(request.isRepeated === true && { isRepeated: true }),
        deadlineAtMs: Infinity,
        hold: host.budget.openHold('command', life.address.subject),
        reservation: host.budget.openReservation(life.address.subject),
        isForeign: false,
        settle: () => undefined
      }
      const ready = await prepare({ ...host, clock }, life, delivery, new AbortController().signal)
      return inOneGo(step({ host: { ...host, clock }, life, isFresh }, { delivery, ready }))
    }
  }
}
