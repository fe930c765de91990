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
    restore: (address, record) => watch.during(`${behaviour.kind}.restore`, { rows: record.rows.length }, () => behaviour.restore(address, record)),
    initiate: (address, command, meta) => watch.during(command.type, command, () => behaviour.initiate(address, command, meta)),
    prepare: (state, command, signal, requestId) => watch.during(command.type, command, () => behaviour.prepare(state, command, signal, requestId)),
    step: (state, command, prepared, meta) => watch.during(command.type, command, () => behaviour.step(state, command, prepared, meta)),
  }
}
