/** State charts as Mermaid diagrams. */
import { type ChartState, type ChartTransition, flatten } from './chart.js'

/** Transition with the path of its source state. */
interface Edge extends ChartTransition {
  readonly source: string
}

/** Renders a chart as the text of a `stateDiagram-v2`, with a line feed at its end. */
export function toMermaid(chart: ChartState): string {
  const content = contentOf(chart, flatten(chart).flatMap(edgesOf))
  // Parallel regions have to be inside a state.
  const whole = chart.type === 'parallel' ? [`state ${chart.key} {`, ...indented(content), '}'] : content
  return ['stateDiagram-v2', ...indented(whole), ''].join('\n')
}

function edgesOf({ path, transitions }: ChartState): readonly Edge[] {
  return transitions.map((transition) => ({ ...transition, source: path }))
}

/** Returns the lines between the braces of a state: its nested states, and the transitions within it. */
function contentOf(state: ChartState, edges: readonly Edge[]): readonly string[] {
  const regions = state.states.map((child) => stateLines(child, edges))
  const states = state.type === 'parallel' ? regions.flatMap((lines, index) => (index === 0 ? lines : ['--', ...lines])) : regions.flat()
  const start = state.states.filter(({ key }) => key === state.initial).map(({ path }) => `[*] --> ${nameOf(path)}`)
  const inner = edges.filter(({ source, target }) => target !== null && containerOf(source, target) === state.path)
  const ends = state.states.filter(({ type }) => type === 'final').map(({ path }) => `${nameOf(path)} --> [*]`)
  return [...start, ...states, ...anyLines(state), ...inner.map(toArrow), ...ends]
}

function stateLines(state: ChartState, edges: readonly Edge[]): readonly string[] {
  const title = `state "${state.key}" as ${nameOf(state.path)}`
  if (state.states.length > 0) return [`${title} {`, ...indented(contentOf(state, edges)), '}']
  return [title, ...edgesOf(state).flatMap((edge) => (edge.target === null ? [`${nameOf(state.path)} : ${labelOf(edge)}`] : []))]
}

/** Returns the lines of an "in any state" node, for transitions of a state itself: Mermaid has no arrow from a state to one inside it. */
function anyLines(state: ChartState): readonly string[] {
  const entering = state.transitions.filter(({ target }) => target !== null && isWithin(target, state.path))
  const acting = state.transitions.filter(({ target }) => target === null)
  if (state.states.length === 0 || entering.length + acting.length === 0) return []
  const any = anyOf(state.path)
  return [`state "in any state" as ${any}`, ...acting.map((transition) => `${any} : ${labelOf(transition)}`)]
}

function toArrow(edge: Edge): string {
  const target = edge.target ?? edge.source
  const source = isWithin(target, edge.source) ? anyOf(edge.source) : nameOf(edge.source)
  return `${source} --> ${nameOf(target)} : ${labelOf(edge)}`
}

function labelOf({ event, guard, actions }: ChartTransition): string {
  const condition = guard === null ? '' : ` [${guard}]`
  const effects = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${event}${condition}${effects}`
}

/** Returns the path of the innermost state that contains both ends of an arrow. */
function containerOf(source: string, target: string): string {
  if (isWithin(target, source)) return source
  const from = source.split('.').slice(0, -1)
  const to = target.split('.').slice(0, -1)
  const shared = from.findIndex((name, index) => name !== to[index])
  return (shared < 0 ? from : from.slice(0, shared)).join('.')
}

function isWithin(path: string, outer: string): boolean {
  return outer === '' || path.startsWith(`${outer}.`)
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

function nameOf(path: string): string {
  return path.replaceAll('.', '_')
}

function anyOf(path: string): string {
  return path === '' ? 'any' : `${nameOf(path)}_any`
}
