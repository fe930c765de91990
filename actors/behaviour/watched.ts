/** A behaviour whose work is noted, so that it can be told what the event loop stood over. */
import { type StallWatch, watched } from '../../src/domain/stall-watch.js'
import type { Behaviour } from './behaviour.js'
import { stepOf } from './stepping.js'

/** Notes each step by its command, and beside them what a command does before it first waits, and activations. */
export function withStallWatch<State, Command extends { readonly type: string }, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  watch: StallWatch
): Behaviour<State, Command, Prepared, Reply> {
  return {
    ...behaviour,
    restore: (address, record) =>
      watched({ watch, name: `${behaviour.kind}.restore`, sizes: { rows: record.rows.length } }, behaviour.restore(address, record)),
    initiate: (address, command, ...more) => watch.during(command.type, command, () => behaviour.initiate(address, command, ...more)),
    prepare: (state, command, ...more) => watch.during(command.type, command, () => behaviour.prepare(state, command, ...more)),
    settle(state, next) {
      const pieces = behaviour.settle?.(state, next) ?? null
      return pieces === null ? null : watched({ watch, name: `${behaviour.kind}.settle`, sizes: {} }, pieces)
    },
    stepInPieces: (state, command, prepared, meta) =>
      watched({ watch, name: command.type, sizes: command }, stepOf(behaviour, [state, command, prepared, meta])),
    step: (state, command, prepared, meta) => watch.during(command.type, command, () => behaviour.step(state, command, prepared, meta))
  }
}
