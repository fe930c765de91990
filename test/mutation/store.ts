/** Results of earlier runs by name, stored as JSON in a folder that git ignores. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Store<T> {
  /** Undefined if there is no result or it was written with another digest. */
  read(name: string, digest: string): T | undefined
  write(name: string, digest: string, value: T): void
}

interface Kept<T> {
  readonly digest: string
  readonly value: T
}

export function createStore<T>(folder: string): Store<T> {
  const pathOf = (name: string) => join(folder, `${digestOf(name)}.json`)

  return {
    read(name, digest) {
      const text = readOrNull(pathOf(name))
      const kept = text === null ? null : (JSON.parse(text) as Kept<T>)
      return kept?.digest === digest ? kept.value : undefined
    },
    write(name, digest, value) {
      mkdirSync(folder, { recursive: true })
      const path = pathOf(name)
      const kept: Kept<T> = { digest, value }
      // Renamed when complete, so that a concurrent run never reads half a file.
      const unfinished = `${path}.${process.pid}`
      writeFileSync(unfinished, JSON.stringify(kept))
      renameSync(unfinished, path)
    }
  }
}

export function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 24)
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
