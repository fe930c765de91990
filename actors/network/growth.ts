/** Growth of a network's record by a command. */
import type { NetworkCommand } from '../../src/domain/commands/network-commands.js'
import { plus, sumOf, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { rowWeight } from '../weight/ledger.js'
import type { Growth } from '../weight/room.js'
import type { NetworkState } from './state.js'
import type { Prepared } from './work.js'

/** Upper bound on the growth, as far as known before the step. Which sessions vote is known only after the poll. */
export function growthOf({ users, trust }: NetworkState, command: NetworkCommand, prepared: Prepared): Growth {
  const added = (ids: readonly string[], body: unknown): Growth => sumOf(ids.map((id) => plus(weightOf(id), rowWeight(body))))
  switch (command.type) {
    case 'network.switch':
      return added(users.has(command.userId) ? [] : [command.userId], true)
    case 'network.consensus': {
      const voters = prepared.poll?.similarities ?? []
      return added(
        voters.map(({ sessionId }) => sessionId).filter((id) => !trust.has(id)),
        0.5
      )
    }
    default:
      return WEIGHTLESS
  }
}
