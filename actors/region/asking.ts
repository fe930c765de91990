/** Asks of a region to its clusters. */
import type { Address } from '../../src/domain/address.js'
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { Clock } from '../../src/ports.js'
import { ANSWER_MS_MAX, FAILING, unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import type { RegionState } from './state.js'

/** Context in which a region asks others while it prepares one command. */
export interface Asking {
  readonly ask: Ask
  /** See `askingAnew`. */
  readonly askAnew: Ask
  readonly clock: Clock
  /** Aborts at the command's deadline. */
  readonly signal: AbortSignal
}

interface Question<C extends ClusterCommand> {
  readonly id: string
  readonly command: C
  /** Collects the ids of clusters that are gone. */
  readonly goneIds: string[]
}

/**
 * Asks a cluster. Resolves to null if it is gone or fails for every caller, so that it does not hold up the others. Rejects with any other
 * refusal, upon which the outbox message is sent again.
 */
export function askIfThere<C extends ClusterCommand>(
  asking: Asking,
  state: RegionState,
  { id, command, goneIds }: Question<C>
): Promise<ReplyOf<C> | null> {
  return unlessRefused(askCluster(asking, state, id, command), ['cluster_missing', ...FAILING], ({ code }) => {
    if (code === 'cluster_missing') goneIds.push(id)
  })
}

export function askCluster<C extends ClusterCommand>(
  { ask }: Pick<Asking, 'ask'>,
  { address }: RegionState,
  id: string,
  command: C
): Promise<ReplyOf<C>> {
  const cluster: Address = { kind: 'cluster', subject: address.subject, id }
  return ask(cluster, command, { deadlineMs: ANSWER_MS_MAX })
}
