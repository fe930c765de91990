/** Number of values below `value` in an ascending list, which is also the first position whose value is at least `value`. Binary search. */
export function countBelow(ascending: ArrayLike<number>, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
