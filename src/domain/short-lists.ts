/** Lists that are short in most owners: V8 makes room for seventeen elements in one that an element is added to, also by a spread. */

/** Up to so many, a list is made anew for each element more. */
const SHORT_LIST = 16

/** The list with one element more at its end: the same list, unless it is short. */
export function withNext<Element>(list: Element[], element: Element): Element[] {
  if (list.length < SHORT_LIST) return list.concat([element])
  list.push(element)
  return list
}

/** Numbers below which a list of one is shared: most labels, and where most texts end. */
const SHARED_MAX = 16_384
const shared = new Array<readonly number[] | undefined>(SHARED_MAX)

/** A list of one number that is at least 0: for small ones the same each time, which nobody may change. */
export function listOfOne(number: number): readonly number[] {
  return number < SHARED_MAX ? (shared[number] ??= [number]) : [number]
}
