/** How far an import has come, in a file beside what is imported, for the next start to go on. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'

export interface ImportCounts {
  /** Items of the file that were dealt with. */
  read: number
  /** Memories that were not there before. */
  stored: number
  /** Memories that were there already. */
  known: number
  /** Items that no memory is made of, by the reason. */
  readonly skipped: Record<string, number>
}

export interface Checkpoint {
  /** What was counted up to here; nothing at a new start. */
  readonly counts: ImportCounts
  save(counts: ImportCounts): Promise<void>
  /** The import is done. */
  remove(): Promise<void>
}

const VERSION = 1

interface Stored {
  readonly version: number
  readonly digest: string
  readonly counts: ImportCounts
}

/** `target`: everything else that decides what the import makes of the file. One of another file or target is not gone on with. */
export async function openCheckpoint(file: string, target: object): Promise<Checkpoint> {
  const path = `${file}.engram-import`
  const digest = await digestOf(file, target)
  const known = await readFile(path, 'utf8').then(toStored, () => null)
  return {
    counts: known?.digest === digest ? known.counts : { read: 0, stored: 0, known: 0, skipped: {} },
    async save(counts) {
      await writeFile(`${path}.new`, JSON.stringify({ version: VERSION, digest, counts } satisfies Stored))
      await rename(`${path}.new`, path)
    },
    remove: () => rm(path, { force: true })
  }
}

async function digestOf(file: string, target: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(target))
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}

/** Null for what is none: it is only ever written whole, so somebody else wrote it. */
function toStored(text: string): Stored | null {
  try {
    const stored = JSON.parse(text) as Stored
    return stored.version === VERSION ? stored : null
  } catch {
    return null
  }
}
