/** Identifiers that nobody can guess. */
import { randomUUID } from 'node:crypto'
import type { Ids } from '../ports.js'

/** Version 4 UUIDs from the operating system's random source. */
export function createSystemIds(): Ids {
  return { uuid: randomUUID }
}
