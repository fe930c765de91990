/** Small integers handed out for things, lowest free one first come, so that arrays indexed by them stay dense. */
export interface Labels<Owner> {
  take(owner: Owner): number
  free(label: number): void
  get(label: number): Owner | undefined
  clear(): void
}

/** No label taken. Labels that are freed are used again. */
export function createLabels<Owner>(): Labels<Owner> {
  const owners: (Owner | undefined)[] = []
  const unused: number[] = []
  return {
    take(owner) {
      const label = unused.pop() ?? owners.length
      owners[label] = owner
      return label
    },
    free(label) {
      owners[label] = undefined
      unused.push(label)
    },
    get: (label) => owners[label],
    clear() {
      owners.length = 0
      unused.length = 0
    }
  }
}
