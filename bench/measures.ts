/** The measures of `npm run bench`, by name, in order. */
import type { Measure } from './figures.js'
import { measureAdd } from './measures/add.js'
import { measureDurable } from './measures/durable.js'
import { measureEmbedding } from './measures/embedding.js'
import { measureExtras } from './measures/extras.js'
import { measureNeighbours } from './measures/neighbours.js'
import { measurePeers } from './measures/peers.js'
import { measureRestore } from './measures/restore.js'
import { measureRun } from './measures/run.js'
import { measureSessions } from './measures/sessions.js'
import { measureStart } from './measures/start.js'
import { measureTail } from './measures/tail.js'
import { measureWorkers } from './measures/workers.js'

export const MEASURES: Readonly<Record<string, Measure>> = {
  start: measureStart,
  run: measureRun,
  extras: measureExtras,
  tail: measureTail,
  add: measureAdd,
  peers: measurePeers,
  neighbours: measureNeighbours,
  restore: measureRestore,
  embedding: measureEmbedding,
  sessions: measureSessions,
  durable: measureDurable,
  workers: measureWorkers
}
