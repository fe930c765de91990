/** The road of a run: the files that it passes from its route to its step and back, drawn from a trace. */
import type { Entered } from './trace.js'

/** Where the road begins and ends. */
const ROUTE = 'src/http/routes/turns.ts'

/** What a file of the road asks on the way, and is answered at once by: no part of the road itself. */
const BESIDE: readonly RegExp[] = [
  // Names, arithmetic, decisions, and what is outside.
  /^src\/http\/contract\/codec\.ts$/,
  /^src\/(domain|retrieval|storage|vectors|embedders|metrics|platform|debug|composition)\//,
  /^machines\//,
  // What commands wait in, are counted by and are kept in.
  /^actors\/(behaviour|messaging|scheduling|weight)\//,
  /^actors\/runtime\/(entry|eviction|host|mailbox|order|registry)\.ts$/,
  /^actors\/asking\/(envelope|inner-ask|time-limit)\.ts$/,
  // What a session's preparation and its step are made of.
  /^actors\/session\/(embed|growth)\.ts$/,
  /^actors\/session\/(record|recall|reminders|semantic-state|sharing|turn)\//
]

export interface Visit {
  readonly file: string
  /** Names of the functions that were entered, each once. */
  readonly names: readonly string[]
}

export interface Road {
  /** Files of the project that the whole request entered, and functions in them. */
  readonly files: number
  readonly functions: number
  /** From the route to its answer, in order. */
  readonly visits: readonly Visit[]
  /** Files on the road, in the order in which it comes to them. */
  readonly stations: readonly string[]
  /** How often it comes to a file that it had left: on the way to the step, and on the way back. */
  readonly climbs: number
  readonly returns: number
}

/** Where the step itself begins. */
const STEP = 'actors/session/steps/run.ts'

export function roadOf(entered: readonly Entered[]): Road {
  const begin = entered.findIndex(({ file }) => file === ROUTE)
  const end = entered.findLastIndex(({ file }) => file === ROUTE)
  const visits: { file: string; names: string[] }[] = []
  for (const { file, name } of entered.slice(begin, end + 1)) {
    if (BESIDE.some((pattern) => pattern.test(file))) continue
    let visit = visits.at(-1)
    if (visit?.file !== file) visits.push((visit = { file, names: [] }))
    if (/^\w+$/.test(name) && !visit.names.includes(name)) visit.names.push(name)
  }
  const stepAt = visits.findIndex(({ file }) => file === STEP)
  const known = new Set<string>()
  let climbs = 0
  let returns = 0
  for (const [at, { file }] of visits.entries()) {
    if (known.has(file) && at < stepAt) climbs += 1
    else if (known.has(file)) returns += 1
    known.add(file)
  }
  return {
    files: new Set(entered.map(({ file }) => file)).size,
    functions: new Set(entered.map(({ file, name }) => `${file} ${name}`)).size,
    visits,
    stations: [...known],
    climbs,
    returns
  }
}

/** Functions named on one arrow: the first of a visit say where it comes in. */
const NAMES_MAX = 2

/** The road as a sequence diagram of Mermaid. */
export function toSequence({ visits, stations }: Road): string {
  const idOf = (file: string): string => `f${String(stations.indexOf(file))}`
  const lines = stations.map((file) => `  participant ${idOf(file)} as ${file}`)
  const reached = new Set<string>()
  let from = ''
  for (const { file, names } of visits) {
    const isBack = reached.has(file)
    reached.add(file)
    const label = names.slice(0, NAMES_MAX).join(', ')
    if (from !== '') lines.push(`  ${idOf(from)}${isBack ? '-->>' : '->>'}${idOf(file)}: ${label}`)
    from = file
  }
  return ['sequenceDiagram', ...lines, ''].join('\n')
}

const BEGIN = '<!-- road: drawn from a trace by `npm run bench:road` -->'
const END = '<!-- /road -->'

/** The document with the picture in the place of the one that it has. */
export function withPicture(document: string, picture: string): string {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1]
  if (after === undefined) throw new Error('The document has no place for the picture')
  return `${before ?? ''}${BEGIN}\n\n\`\`\`mermaid\n${picture}\`\`\`\n\n${END}${after}`
}
