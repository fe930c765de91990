/**
 * Ids of others that join an actor, such as the members of a cluster. A preparation asks one to join, and the step after it adds it. In
 * between, the one that joined may be deleted: then it is not added. Or the actor is: then all that have joined are told to leave.
 *
 * The actor's record decides who belongs to it. One who has joined and was not added asks whether it belongs, and leaves: a cluster asks by
 * an outbox message right after it has joined a region, a session at the next finding that it shares. So does one who was removed. While it
 * is being added, the answer is `busy`, and the message that asks is sent again.
 */
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'

/** One adding of an id. The same id may be added twice at once: each adding has a join of its own. */
export interface Join {
  readonly id: string
}

/** In memory only. If the process ends before the step, a later try of the join asks again. */
export type Joins = Set<Join>

/** Asks `id` to join. Resolves to a join, noted from before that until a step adds or forgets it, `ask` rejects, or `signal` aborts. */
export async function joining(
  { joins, id, signal }: { readonly joins: Joins; readonly id: string; readonly signal: AbortSignal },
  ask: () => Promise<unknown>
): Promise<Join> {
  const join = { id }
  const forget = () => joins.delete(join)
  if (signal.aborted) throw deadlinePassed()
  signal.addEventListener('abort', forget, { once: true })
  joins.add(join)
  try {
    await ask()
    return join
  } catch (error) {
    forget()
    throw error
  }
}

/** For the step that adds the one who joined. Throws `busy` if the join was forgotten meanwhile, unless it is there already. */
export function noteJoined(joins: Joins, join: Join, isThere: boolean): void {
  if (!joins.delete(join) && !isThere) throw new DomainError('busy', 'It has left while it was being added')
}

/** For the step that drops `id`. */
export function forgetJoins(joins: Joins, id: string): void {
  for (const join of joins) if (join.id === id) joins.delete(join)
}

/** Ids of those that belong to the actor or are asked to join it, each once. */
export function thereOrJoining(ids: Iterable<string>, joins: Joins): ReadonlySet<string> {
  return new Set([...ids, ...[...joins].map(({ id }) => id)])
}

/** For the step that tells whether `id` belongs to the actor. Throws `busy` while it is being added. */
export function refuseWhileJoining(joins: Joins, id: string): void {
  if ([...joins].some((join) => join.id === id)) throw new DomainError('busy', 'It is being added at the moment')
}
