/** Listings that come in pages. */

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins; null at the end. */
  readonly next: string | null
}

/** Every item of a listing, page after page, as it is asked for. */
export async function* everyItem<Item>(read: (after: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined
  do {
    const { items, next } = await read(after)
    yield* items
    after = next ?? undefined
  } while (after !== undefined)
}
