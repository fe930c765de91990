/** What the code of past commits has written, kept in this folder: a database of SQLite and the export of one session each. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ActorKind } from '../../src/domain/address.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { ActorStorage, Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'

export interface PastVersion {
  readonly name: string
  /** The code that made it. */
  readonly commit: string
  /** What this version did not know yet. */
  readonly lacked: string
}

/** Oldest first. */
export const PAST_VERSIONS: readonly PastVersion[] = [
  { name: 'groups', commit: 'd1a71c3', lacked: 'charts of groups, and turns that are calm after a drift' },
  { name: 'charts', commit: 'b1884cb', lacked: 'words beside memories' },
  { name: 'words', commit: 'eb98ca7', lacked: 'pins, counts by day, and keys of requests' }
]

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const KINDS: readonly ActorKind[] = ['session', 'cluster', 'region', 'observer', 'network']
/** The licence subject of a service without licences. */
const SUBJECT = 'anonymous'
/** More than a fixture has of any kind. */
const RECORDS_MAX = 100

function read(name: string): Buffer {
  return gunzipSync(readFileSync(new URL(name, import.meta.url)))
}

/** The `state_dict` of the session `anna`, with what surrounds it. */
export function exportOf({ name }: PastVersion): unknown {
  return JSON.parse(read(`${name}.export.json.gz`).toString('utf8'))
}

/** Puts the database into the folder. Resolves with its address. */
export async function placeDatabase({ name }: PastVersion, folder: string): Promise<string> {
  const path = join(folder, `${name}.db`)
  await writeFile(path, read(`${name}.db.gz`))
  return `sqlite:${path}`
}

/** Copies every record as it is, heads and rows of that version, from its database into another storage. Resolves with their number. */
export async function copyRecords(url: string, to: Pick<ActorStorage, 'create'>): Promise<number> {
  const from = await createSqlStorage({ url, clock: createSystemClock(), logger: SILENT })
  let copied = 0
  try {
    for (const kind of KINDS) {
      for (const id of await from.list({ kind, subject: SUBJECT, limit: RECORDS_MAX })) {
        const record = await from.activate({ kind, subject: SUBJECT, id })
        if (record === null) continue
        await to.create({ kind, subject: SUBJECT, id }, { head: record.head, put: record.rows, remove: [] })
        copied += 1
      }
    }
  } finally {
    await from.close()
  }
  return copied
}
