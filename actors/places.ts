/** A limited number of places, given in the order they were asked for. */

export interface Places {
  /** Resolves with a place of one's own. */
  enter(): Promise<void>
  /** Gives the place to the next in line. */
  leave(): void
}

export function createPlaces(placesMax: number): Places {
  let taken = 0
  const line: (() => void)[] = []
  return {
    enter() {
      if (taken < placesMax) {
        taken += 1
        return Promise.resolve()
      }
      return new Promise((resolve) => line.push(resolve))
    },
    leave() {
      const next = line.shift()
      if (next === undefined) taken -= 1
      else next()
    }
  }
}
