/** Small integers handed out for things, one that was freed before a new one, so that arrays indexed by them stay dense. */
import { withNext } from '../domain/short-lists.js'

export interface Labels<Owner> {
  take(owner: Owner): number
  free(label: number): void
  get(label: number): Owner | undefined
  clear(): void
}

/** No label taken. Labels that are freed are used again. */
export function createLabels<Owner>(): Labels<Owner> {
  return new OwnedLabels()
}

/** A class, because each session has one: functions of its own would weigh more than what they work with. */
class OwnedLabels<Owner> implements Labels<Owner> {
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
