/**
 * Ids of others that join an actor, such as the members of a cluster. A preparation asks one to join, and the step after it adds it. In
 * between, the one that joined may be deleted: then it is not added. Or the actor is: then all that have joined are told to leave.
 */
import { DomainError } from '../../src/domain/errors.js'

/**
 * In memory only. If the process ends before the step, a later try of the join goes on. If the actor is deleted instead, a session ends its
 * membership at its next run, and a cluster keeps the id of the region.
 */
export type Joins = Set<string>

/** Asks `id` to join, which is noted from before that until a step adds or forgets it, or `ask` rejects. */
export async function joining<Answer>(joins: Joins, id: string, ask: () => Promise<Answer>): Promise<Answer> {
  joins.add(id)
  try {
    return await ask()
  } catch (error) {
    joins.delete(id)
    throw error
  }
}

/** For the step that adds `id`. Throws `busy` if that was forgotten meanwhile, unless it is there already. */
export function noteJoined(joins: Joins, id: string, isThere: boolean): void {
  if (!joins.delete(id) && !isThere) throw new DomainError('busy', 'It has left while it was being added')
}
