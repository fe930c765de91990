/** Lists that are short in most owners: V8 makes room for seventeen elements in one that an element is added to, also by a spread. */

/** Up to so many, a list is made anew for each element more. */
const SHORT_LIST = 16

/** The list with one element more at its end: the same list, unless it is short. */
export function withNext<Element>(list: Element[], element: Element): Element[] {
  if (list.length < SHORT_LIST) return list.concat([element])
  list.push(element)
  return list
}
