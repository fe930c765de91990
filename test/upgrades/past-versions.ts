/** Fixtures that the code of past commits wrote, kept in this folder: a database of each backend, and the export of one session. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { BSON, type Document } from 'mongodb'

export interface PastVersion {
  readonly name: string
  /** Commit of the code that wrote it. */
  readonly commit: string
  /** Features that this version did not have yet. */
  readonly lacked: string
}

/** From before there were tombstones: tables of version 2, keys and documents without tombstones. Databases of servers only. */
const SECOND_SCHEMA: PastVersion = { name: 'schema-2', commit: 'b6b0905', lacked: 'tombstones with rows, and what later versions lacked' }

/** Oldest first. */
export const PAST_VERSIONS: readonly PastVersion[] = [
  { name: 'groups', commit: 'd1a71c3', lacked: 'charts of groups, and turns that are calm after a drift' },
  { name: 'charts', commit: 'b1884cb', lacked: 'words beside memories' },
  { name: 'words', commit: '1a72529', lacked: 'pins, counts by day, and keys of requests' }
]

/** Versions whose databases of PostgreSQL, Redis and MongoDB are kept as well, oldest first. */
export const PAST_DATABASES: readonly PastVersion[] = [SECOND_SCHEMA, ...PAST_VERSIONS]

function read(name: string): Buffer {
  return gunzipSync(readFileSync(new URL(name, import.meta.url)))
}

/** Export of the session `anna`: its `state_dict` and what surrounds it. */
export function exportOf({ name }: PastVersion): unknown {
  return JSON.parse(read(`${name}.export.json.gz`).toString('utf8'))
}

/** Writes the version's SQLite database to the folder. Resolves with its URL. */
export async function placeDatabase({ name }: PastVersion, folder: string): Promise<string> {
  const path = join(folder, `${name}.db`)
  await writeFile(path, read(`${name}.db.gz`))
  return `sqlite:${path}`
}

/** SQL that creates the version's PostgreSQL database. */
export function postgresDumpOf({ name }: PastVersion): string {
  return read(`${name}.postgres.sql.gz`).toString('utf8')
}

/** Commands that create the version's Redis database, in wire format. */
export function redisCommandsOf({ name }: PastVersion): Buffer {
  return read(`${name}.redis.aof.gz`)
}

/** Documents of the version's MongoDB database, by collection. */
export function mongoDocumentsOf({ name }: PastVersion): Readonly<Record<string, readonly Document[]>> {
  return BSON.EJSON.parse(read(`${name}.mongo.json.gz`).toString('utf8'), { relaxed: false }) as Record<string, Document[]>
}
