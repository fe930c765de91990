/** The road of a run: the files from its route to its step and back, drawn from a trace. */
import type { Entered } from './trace.js'

/** Start and end of the road. */
const ROUTE = 'src/http/routes/turns.ts'

/** Files that are only called and return at once, and so are not part of the road. */
const BESIDE: readonly RegExp[] = [
  // Names, arithmetic, decisions, and external systems.
  /^src\/http\/contract\/codec\.ts$/,
  /^src\/(domain|retrieval|storage|vectors|embedders|metrics|platform|debug|composition)\//,
  /^src\/time-limit\.ts$/,
  /^machines\//,
  // Queues, counters and containers of commands.
  /^actors\/(behaviour|messaging|scheduling|weight)\//,
  /^actors\/runtime\/(entry|eviction|host|mailbox|order|registry)\.ts$/,
  /^actors\/asking\/(envelope|inner-ask)\.ts$/,
  // Parts of a session's preparation and step.
  /^actors\/session\/(commands|embed|growth|reading|settle)\.ts$/,
  /^actors\/session\/(record|recall|reminders|semantic-state|sharing|turn)\//
]

export interface Visit {
  readonly file: string
  /** Names of the entered functions, without duplicates. */
  readonly names: readonly string[]
}

export interface Road {
  /** Number of the project's files and functions that the whole request entered. */
  readonly files: number
  readonly functions: number
  /** From the route to its answer, in order. */
  readonly visits: readonly Visit[]
  /** Files on the road, in the order of their first visit. */
  readonly stations: readonly string[]
  /** How often it re-enters a file that it had left: on the way to the step, and on the way back. */
  readonly climbs: number
  readonly returns: number
}

/** Start of the step itself. */
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

/** Maximum functions named on one arrow: the first of a visit show the entry point. */
const NAMES_MAX = 2

/** Formats the road as a Mermaid sequence diagram. */
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

/** Replaces the picture in the document. */
export function withPicture(document: string, picture: string): string {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1]
  if (after === undefined) throw new Error('The document has no place for the picture')
  return `${before ?? ''}${BEGIN}\n\n\`\`\`mermaid\n${picture}\`\`\`\n\n${END}${after}`
}
