/**
 * `npm run bench:quality -- DATA [PART…]`: computes all figures on quality that the documentation reports, with sets, sizes, seed and 95 %
 * bootstrap intervals over conversations. DATA is the folder with `locomo-dev.json` and `tiage-dev.json`. Default: all parts.
 */
import { readArguments, refuseArguments } from '../../src/tools/arguments.js'
import { measureDriftQuality } from './drift/measure.js'
import { measureFactors } from './factors/measure.js'
import { measureShortCircuit } from './short-circuit/measure.js'
import { measureLongSession } from './retrieval/long-session.js'
import { measureRetrieval } from './retrieval/measure.js'
import { measureSupersession } from './retrieval/supersession.js'
import { measureToldChanges } from './retrieval/told-changes.js'
import { measureStandIn } from './stand-in/measure.js'
import { SEED } from './statistics.js'

const PARTS: Readonly<Record<string, (data: string) => string | Promise<string>>> = {
  drift: (data) => measureDriftQuality(data, SEED),
  'short-circuit': () => measureShortCircuit(SEED),
  retrieval: (data) => measureRetrieval(data),
  facts: async () => [await measureSupersession(), await measureToldChanges()].join('\n\n'),
  'long-session': () => measureLongSession(SEED),
  factors: (data) => measureFactors(data),
  'stand-in': (data) => measureStandIn(data, SEED)
}

const USAGE = `npm run bench:quality -- DATA [PART…]
  DATA the folder of locomo-dev.json and tiage-dev.json
  PART of ${Object.keys(PARTS).join(', ')}; without any, all`

async function main(): Promise<void> {
  const { positionals } = readArguments(USAGE, { allowPositionals: true })
  const [data, ...named] = positionals
  const parts = named.length === 0 ? Object.keys(PARTS) : named
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part))
  if (data === undefined) refuseArguments(USAGE, 'DATA is not given')
  if (unknown.length > 0) refuseArguments(USAGE, `There is no part ${unknown.join(', ')}`)
  process.stdout.write(`seed ${SEED}\n\n`)
  for (const part of parts) process.stdout.write(`${(await PARTS[part]?.(data)) ?? ''}\n\n`)
}

await main()
