/** A behaviour whose work is noted, so that it can be told what the event loop stood over. */
import type { Behaviour } from './behaviour.js'
import type { StallWatch } from '../src/domain/occurrences.js'

/** Notes each step by its command, and beside them what a command does before it first waits, and activations. */
export function withStallWatch<State, Command extends { readonly type: string }, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  watch: StallWatch,
): Behaviour<State, Command, Prepared, Reply> {
  return {
    ...behaviour,
    *restore(address, record) {
      const pieces = behaviour.restore(address, record)
      const sizes = { rows: record.rows.length }
      const goOn = () => watch.during(`${behaviour.kind}.restore`, sizes, () => pieces.next())
      try {
        for (let next = goOn(); ; next = goOn()) {
          if (next.done === true) return next.value
          yield
        }
      } finally {
        pieces.return(undefined as never)
      }
    },
    initiate: (address, command, ...more) => watch.during(command.type, command, () => behaviour.initiate(address, command, ...more)),
    prepare: (state, command, ...more) => watch.during(command.type, command, () => behaviour.prepare(state, command, ...more)),
    step: (state, command, prepared, meta) => watch.during(command.type, command, () => behaviour.step(state, command, prepared, meta)),
  }
}
