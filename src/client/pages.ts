/** Iteration over paged listings. */

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}

/**
 * Yields every item of a listing and reads pages on demand. The next page begins after the last item of this one, which the caller may
 * remove: so it is read before that item is yielded.
 */
export async function* everyItem<Item>(read: (after: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  let { items, next } = await read(undefined)
  while (next !== null) {
    yield* items.slice(0, -1)
    const following = await read(next)
    yield* items.slice(-1)
    items = following.items
    next = following.next
  }
  yield* items
}
