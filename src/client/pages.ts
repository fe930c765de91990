/** Iteration over paged listings. */

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}

/** Yields every item of a listing and reads pages on demand. The caller may remove what it was given. */
export async function* everyItem<Item>(read: (after: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  let page = await read(undefined)
  yield* page.items
  while (page.next !== null) {
    page = await read(page.next)
    yield* page.items
  }
}
