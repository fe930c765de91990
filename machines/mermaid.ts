/** State charts as Mermaid diagrams. */
import { type ChartEdge, type ChartNode, type ChartState, flatten, readChart } from './chart.js'

/** The chart as the text of a `stateDiagram-v2`, with a line feed at its end. */
export function toMermaid(chart: ChartState): string {
  const root = readChart(chart)
  const edges = flatten(root).flatMap((node) => node.edges)
  const content = contentOf(root, edges)
  // Regions side by side have to be inside a state.
  const whole = root.kind === 'parallel' ? [`state ${root.name} {`, ...indented(content), '}'] : content
  return ['stateDiagram-v2', ...indented(whole), ''].join('\n')
}

/** What stands between the braces of a state: its children, and the transitions that stay within it. */
function contentOf(node: ChartNode, edges: readonly ChartEdge[]): readonly string[] {
  const regions = node.children.map((child) => stateLines(child, edges))
  const states = node.kind === 'parallel' ? regions.flatMap((lines, index) => (index === 0 ? lines : ['--', ...lines])) : regions.flat()
  const start = node.initial === null ? [] : [`[*] --> ${nameOf(join(node.path, node.initial))}`]
  const inner = edges.filter(({ source, target }) => target !== null && containerOf(source, target) === node.path)
  const ends = node.children.filter(({ kind }) => kind === 'final').map(({ path }) => `${nameOf(path)} --> [*]`)
  return [...start, ...states, ...anyLines(node), ...inner.map(toArrow), ...ends]
}

function stateLines(node: ChartNode, edges: readonly ChartEdge[]): readonly string[] {
  const title = `state "${node.name}" as ${nameOf(node.path)}`
  if (node.children.length > 0) return [`${title} {`, ...indented(contentOf(node, edges)), '}']
  return [title, ...node.edges.filter(({ target }) => target === null).map((edge) => `${nameOf(node.path)} : ${labelOf(edge)}`)]
}

/** What a state does whichever of its own states it is in: Mermaid knows no arrow from a state to one inside it. */
function anyLines(node: ChartNode): readonly string[] {
  const entering = node.edges.filter(({ target }) => target !== null && isWithin(target, node.path))
  const acting = node.edges.filter(({ target }) => target === null)
  if (node.children.length === 0 || entering.length + acting.length === 0) return []
  const any = nameOf(join(node.path, 'any'))
  return [`state "in any state" as ${any}`, ...acting.map((edge) => `${any} : ${labelOf(edge)}`)]
}

function toArrow(edge: ChartEdge): string {
  const target = edge.target ?? edge.source
  const source = isWithin(target, edge.source) ? join(edge.source, 'any') : edge.source
  return `${nameOf(source)} --> ${nameOf(target)} : ${labelOf(edge)}`
}

/** A colon would end the label's place, so `done: effect` loses its own. */
function labelOf({ trigger, guard, actions }: ChartEdge): string {
  const condition = guard === null ? '' : ` [${guard}]`
  const effects = actions.length === 0 ? '' : ` / ${actions.join(', ')}`
  return `${trigger.replace(':', '')}${condition}${effects}`
}

/** The innermost state that holds both ends of an arrow. */
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

function join(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`
}
