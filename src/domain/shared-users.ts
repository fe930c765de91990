/** Whose memories a vector is made of, as far as it has to be known for an erasure. */

/** Data subjects that one vector names, of up to 128 characters each; one that is made of more memories than that may be anybody's. */
export const SHARED_USERS_MAX = 256

/** Each data subject once, ascending by code unit; null (it may be anybody) when one list is null, or there are too many. */
export function unitedUsers(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const users = new Set<string>()
  for (const list of lists) {
    if (list === null) return null
    for (const user of list) users.add(user)
    if (users.size > SHARED_USERS_MAX) return null
  }
  return [...users].sort()
}
