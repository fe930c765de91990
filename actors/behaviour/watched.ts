/** A behaviour whose work is noted, so that it can be told what the event loop stood over. */
import type { StallWatch } from '../../src/domain/commands/occurrences.js'
import type { Pieces } from '../../src/domain/pieces.js'
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

interface Watched {
  readonly watch: StallWatch
  readonly name: string
  /** Of what is worked on. */
  readonly sizes: unknown
}

/** The same work, each piece of which is noted. */
export function* watched<Result>({ watch, name, sizes }: Watched, pieces: Pieces<Result>): Pieces<Result> {
  const goOn = () => watch.during(name, sizes, () => pieces.next())
  try {
    for (let next = goOn(); ; next = goOn()) {
      if (next.done === true) return next.value
      yield
    }
  } finally {
    pieces.return(undefined as never)
  }
}
