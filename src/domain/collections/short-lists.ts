/** Arrays that are short for most owners. V8 reserves room for seventeen elements when one is appended, also by a spread. */

/** Up to this length, appending copies the array: most sessions have no more memories. */
const SHORT_LIST = 32

/** Appends an element. Returns the array to use from then on: a copy if it is short, else the same one. */
export function withNext<Element>(list: Element[], element: Element): Element[] {
  if (list.length < SHORT_LIST) return list.concat([element])
  list.push(element)
  return list
}

/** Bound on the numbers whose one-element list is shared: most labels and most lengths of texts. */
const SHARED_MAX = 16_384
const shared = new Array<readonly number[] | undefined>(SHARED_MAX)

/** List of one number, which is at least 0. Lists of small numbers are shared and must not change. */
export function listOfOne(number: number): readonly number[] {
  return number < SHARED_MAX ? (shared[number] ??= [number]) : [number]
}
