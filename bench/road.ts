/**
 * Traces a warm `POST /v1/run` through the service: the files and functions it enters, and the road from its route to its step and back.
 * `npm run bench:road` prints this and draws the road into docs/architecture.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { roadOf, toSequence, withPicture } from './road/road.js'
import { traceRun } from './road/trace.js'

const DOCUMENT = fileURLToPath(new URL('../docs/architecture.md', import.meta.url))

const road = roadOf(await traceRun())
process.stdout.write(`A warm run enters ${String(road.files)} files and ${String(road.functions)} functions.\n`)
process.stdout.write(
  `Its road has ${String(road.stations.length)} files; it comes back to one ${String(road.climbs)} times before its step and ${String(road.returns)} times after it:\n`
)
for (const { file, names } of road.visits) process.stdout.write(`  ${file} (${names.join(', ')})\n`)
await writeFile(DOCUMENT, withPicture(await readFile(DOCUMENT, 'utf8'), toSequence(road)))
