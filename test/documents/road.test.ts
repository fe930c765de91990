/** The road of a run, as docs/architecture.md draws it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { roadOf, toSequence, withPicture } from '../../bench/road/road.js'
import { traceRun } from '../../bench/road/trace.js'
import { ROOT } from '../source-files.js'

/** Files that a reader opens to follow a run from its route to its step and back. */
const STATIONS_MAX = 12

const entered = await traceRun()

t.test('a warm run takes the road that the architecture draws', async (t) => {
  const road = roadOf(entered)
  const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  t.equal(document, withPicture(document, toSequence(road)), 'drawn anew by `npm run bench:road`')
  t.ok(road.stations.length <= STATIONS_MAX, road.stations.join(', '))
  t.equal(road.climbs, 1, 'on the way to the step, only the jobs are come back to: from the preparation')
})

t.test('an actor is stepped once in a run, and its record is written once', async (t) => {
  const times = (file: string, name: string) => entered.filter((one) => one.file === file && one.name === name).length
  t.equal(times('actors/runtime/jobs.ts', 'step'), 1)
  t.equal(times('actors/runtime/lifecycle-logic.ts', 'write'), 1)
  t.equal(times('actors/runtime/output-gate.ts', 'passGate'), 1)
})
