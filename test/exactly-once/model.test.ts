/**
 * Checks the model exhaustively within bounds: with every mechanism there is no violation, and without any one of those in NEEDED there is.
 * Larger bounds: `npm run model:exactly-once`.
 */
import process from 'node:process'
import t from 'tap'
import { search } from './search.js'
import { ALL_ON, type Bounds, type Switches } from './state.js'

const KINDS = ['put', 'delete', 'run', 'clear'] as const
const SMALL = { retriesMax: 1, othersMax: 1, ticksMax: 1, stopsMax: 0, ring: 1 }
const LARGE: readonly Omit<Bounds, 'kind'>[] = [
  { ...SMALL, ticksMax: 3, stopsMax: 1 },
  { ...SMALL, retriesMax: 2 },
  { ...SMALL, othersMax: 2, ring: 2, ticksMax: 3 },
  { ...SMALL, othersMax: 2, ring: 2, ticksMax: 3, stopsMax: 1 }
]

/** For each mechanism, what goes wrong without it, and for which kind of request and bounds. */
const NEEDED: readonly {
  readonly without: keyof Switches
  readonly kind: Bounds['kind']
  readonly bounds?: Partial<Bounds>
  readonly problem: RegExp
}[] = [
  { without: 'ring', kind: 'put', problem: /done twice/ },
  { without: 'doubts', kind: 'put', problem: /done twice/ },
  { without: 'retries', kind: 'put', problem: /done twice/ },
  { without: 'tombstones', kind: 'delete', problem: /definite no|done twice/ },
  { without: 'lasting', kind: 'delete', problem: /definite no|done twice/ },
  { without: 'refusals', kind: 'put', problem: /done after a definite no/ },
  { without: 'refusals', kind: 'delete', problem: /done after a definite no/ },
  { without: 'idles', kind: 'clear', problem: /done after it was acknowledged/ },
  { without: 'fencing', kind: 'put', problem: /is lost/ },
  { without: 'ages', kind: 'put', bounds: { ticksMax: 6, stopsMax: 0 }, problem: /done twice/ },
  { without: 'givenOnce', kind: 'put', problem: /definite no|done twice/ },
  { without: 'clocks', kind: 'put', problem: /definite no|done twice/ }
]

const isLarge = process.env['MODEL_BOUNDS'] === 'large'
/** Milliseconds for the larger bounds: three and a half minutes on two cores, and more beside other work. */
if (isLarge) t.setTimeout(1_800_000)

t.test('with every mechanism, nothing is done twice, lost, or denied', async (t) => {
  for (const kind of KINDS) {
    for (const bounds of isLarge ? LARGE : [SMALL]) {
      const { states, story } = search(ALL_ON, { kind, ...bounds })
      t.comment(`${kind}: ${String(states)} states within ${JSON.stringify(bounds)}`)
      t.equal(story?.join('\n') ?? null, null)
      t.ok(states > 1_000, 'not an empty search')
    }
  }
})

for (const { without, kind, bounds, problem } of NEEDED) {
  t.test(`without one of them (${without}), there is a way for a ${kind}`, async (t) => {
    const { states, story } = search({ ...ALL_ON, [without]: false }, { kind, ...SMALL, ...bounds })
    t.comment([`${String(states)} states`, ...(story ?? [])].join('\n'))
    t.match(story?.at(-1), problem)
  })
}
