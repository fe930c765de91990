/** Hands out small integers as labels, freed ones first, so that arrays indexed by label stay dense. */
import { withNext } from './short-lists.js'

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
export class Labels<Owner> {
  private owners: (Owner | undefined)[] = []
  private unused: number[] | null = null

  take(owner: Owner): number {
    const label = this.unused?.pop()
    if (label === undefined) {
      this.owners = withNext(this.owners, owner)
      return this.owners.length - 1
    }
    this.owners[label] = owner
    return label
  }

  free(label: number): void {
    this.owners[label] = undefined
    this.unused ??= []
    this.unused.push(label)
  }

  get(label: number): Owner | undefined {
    return this.owners[label]
  }

  clear(): void {
    this.owners = []
    this.unused = null
  }
}
