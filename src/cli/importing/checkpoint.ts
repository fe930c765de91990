/** Progress of an import, in a file beside the imported one, from which the next start continues. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { orNamedFailure } from '../console/named-file.js'

export interface ImportCounts {
  /** Items of the file that were processed. */
  read: number
  /** Memories that were new. */
  stored: number
  /** Memories that existed already. */
  known: number
  /** Items without a memory, by reason. */
  readonly skipped: Record<string, number>
}

interface Checkpoint {
  /** Counts so far; all 0 at a fresh start. */
  readonly counts: ImportCounts
  /** Throws CommandFailure where the file cannot be written. */
  save(counts: ImportCounts): Promise<void>
  /** Removes the file once the import is complete. */
  remove(): Promise<void>
}

const VERSION = 1

interface Stored {
  readonly version: number
  readonly digest: string
  readonly counts: ImportCounts
}

/** `target` is everything else that determines the result. A checkpoint of another file or target is ignored. */
export async function openCheckpoint(file: string, target: object): Promise<Checkpoint> {
  const path = `${file}.engram-import`
  const digest = await digestOf(file, target)
  const known = await readFile(path, 'utf8').then(toStored, () => null)
  return {
    counts: known?.digest === digest ? known.counts : { read: 0, stored: 0, known: 0, skipped: {} },
    async save(counts) {
      await orNamedFailure(path, writeFile(`${path}.new`, JSON.stringify({ version: VERSION, digest, counts } satisfies Stored)))
      await orNamedFailure(path, rename(`${path}.new`, path))
    },
    remove: () => rm(path, { force: true })
  }
}

async function digestOf(file: string, target: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(target))
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

/** Returns null for an invalid file: checkpoints are written atomically, so somebody else wrote it. */
function toStored(text: string): Stored | null {
  try {
    const stored = JSON.parse(text) as Stored
    return stored.version === VERSION ? stored : null
  } catch {
    return null
  }
}
