/** Number of values below `value` in an ascending list, which is also the first position whose value is at least `value`. */
export function countBelow(ascending: ArrayLike<number>, value: number): number {
  return countWhile(ascending, (one) => one < value)
}

/** Number of elements at the beginning of a list that are before a place, in a list where all that are come first. Binary search. */
export function countWhile<Element>(list: ArrayLike<Element>, isBefore: (element: Element) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(list[middle] as Element)) low = middle + 1
    else high = middle
  }
  return low
}
