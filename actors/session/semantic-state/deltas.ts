/** Deltas: vectors that other sessions have added to a session's state. They fade with its later inputs. */
import { DELTAS_A_TURN_MAX, STATE_FOLDS } from '../../../src/domain/similarity/semantic-state.js'
import type { Delta } from '../../../src/domain/session.js'
import { unitedUsers } from '../../../src/domain/shared-users.js'
import { DELTA } from '../record/head.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'

/** Adds a delta to the state. Removes faded ones. A turn's deltas above the limit are added up. */
export function addDelta(work: Work, delta: Pick<Delta, 'vector' | 'users'>): void {
  const { state, services } = work
  const turn = state.head.interactionCount
  for (const faded of fadedDeltas(state)) removeDelta(work, faded.id)
  const alike = [...state.deltas.values()].filter((known) => known.turn === turn).sort((a, b) => (a.id < b.id ? -1 : 1))
  const [first] = alike
  if (first === undefined || alike.length < DELTAS_A_TURN_MAX) putDelta(work, { id: services.ids.uuid(), turn, ...delta })
  else
    putDelta(work, {
      id: first.id,
      turn,
      vector: first.vector.map((value, at) => value + (delta.vector[at] ?? 0)),
      users: unitedUsers([first.users, delta.users])
    })
}

function removeDelta({ state, journal }: Work, id: string): void {
  state.deltas.delete(id)
  journal.remove(DELTA, id)
}

function putDelta({ state, journal }: Work, delta: Delta): void {
  state.deltas.set(delta.id, delta)
  journal.put(DELTA, delta.id, delta)
}

function fadedDeltas({ head, deltas }: SessionState): Delta[] {
  return [...deltas.values()].filter(({ turn }) => head.interactionCount - turn >= STATE_FOLDS)
}
