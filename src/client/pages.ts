/** Listings that come in pages. */

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null at the end. */
  readonly next: string | null
}

/**
 * Every item of a listing, page after page, as it is asked for. A page is read before the last item of the one before is given: it begins
 * after that item, which the caller may remove.
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
