/** Refuses commands that would leave more in a record, or on the node, than there is memory for: before anything has changed, here or elsewhere. */
import { totalOf } from '../../src/domain/weight.js'
import type { Growth, Room } from '../weight/room.js'
import type { Behaviour } from './behaviour.js'
import type { ActorCommand } from './delivery.js'
import { stepOf } from './stepping.js'

/** At most what the command adds to the record. `prepared` is null before the command is prepared: then as far as that is known. */
export type GrowthOf<State, Command, Prepared> = (state: State, command: Command, prepared: Prepared | null) => Growth

/** The behaviour, with a look at its growth before each command is prepared and again before its step. Innermost: what was done already is answered, not refused. */
export function withGrowth<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  growthOf: GrowthOf<State, Command, NoInfer<Prepared>>
): Behaviour<State, Command, Prepared, Reply> {
  return {
    ...behaviour,
    async prepare(state, command, signal, request, room?: Room) {
      const growth = growthOf(state, command, null)
      if (room !== undefined && totalOf(growth) > 0) await room.makeWay(growth)
      return behaviour.prepare(state, command, signal, request, room)
    },
    *stepInPieces(state, command, prepared, meta) {
      meta.room?.admit(growthOf(state, command, prepared))
      return yield* stepOf(behaviour, [state, command, prepared, meta])
    },
    step(state, command, prepared, meta) {
      meta.room?.admit(growthOf(state, command, prepared))
      return behaviour.step(state, command, prepared, meta)
    }
  }
}
