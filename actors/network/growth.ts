/** Growth of a network's record by a command. */
import { plus, sumOf, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { Growths } from '../coordination/kind.js'
import { rowWeight } from '../weight/ledger.js'
import type { NetworkKind } from './work.js'

export const GROWTHS: Growths<NetworkKind> = {
  'network.switch': ({ users }, { userId }) => (users.has(userId) ? WEIGHTLESS : plus(weightOf(userId), rowWeight(true))),
  // Which sessions vote is known only after the poll.
  'network.consensus': ({ trust }, _, poll) => {
    const voters = poll?.similarities ?? []
    return sumOf(voters.flatMap(({ sessionId: id }) => (trust.has(id) ? [] : [sumOf([weightOf(id), rowWeight(0.5), rowWeight(0.5)])])))
  }
}
