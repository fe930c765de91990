/** Data subjects whose memories contribute to a vector, as far as erasures need them. */

/** Most data subjects listed for a vector, each of up to 128 characters; a vector with more may be anybody's. */
export const SHARED_USERS_MAX = 256

/** Union of the lists, ascending by code unit; null (may be anybody) when one list is null or there are too many. */
export function unitedUsers(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const users = new Set<string>()
  for (const list of lists) {
    if (list === null) return null
    for (const user of list) users.add(user)
    if (users.size > SHARED_USERS_MAX) return null
  }
  return [...users].sort()
}
