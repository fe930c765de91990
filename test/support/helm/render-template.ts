/** Renders a parsed template. */
import { isTruthy, printed, TEMPLATE_FUNCTIONS } from './template-functions.js'
import type { Command, Definitions, Node, Operand, Pipeline } from './template-tree.js'

interface Scope {
  readonly dot: unknown
  readonly root: unknown
  readonly variables: ReadonlyMap<string, unknown>
  readonly definitions: Definitions
}

/** `dot` is the template's root value, which contains Helm's values and the release. */
export function renderTemplate(nodes: readonly Node[], dot: unknown, definitions: Definitions): string {
  return render(nodes, { dot, root: dot, variables: new Map(), definitions })
}

function render(nodes: readonly Node[], outer: Scope): string {
  let scope = outer
  let text = ''
  for (const node of nodes) {
    if (node.kind === 'text') text += node.text
    else if (node.kind === 'print') text += printed(valueOf(node.pipeline, scope))
    else if (node.kind === 'set') scope = withVariable(scope, node.variable, valueOf(node.pipeline, scope))
    else text += renderBlock(node, scope)
  }
  return text
}

function renderBlock(node: Exclude<Node, { kind: 'text' | 'print' | 'set' }>, scope: Scope): string {
  const value = valueOf(node.pipeline, scope)
  if (!isTruthy(value)) return render(node.otherwise, scope)
  if (node.kind === 'if') return render(node.body, scope)
  if (node.kind === 'with') return render(node.body, { ...scope, dot: value })
  const items: [unknown, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item as unknown])
    : Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return items
    .map(([key, item]) => {
      const [first, second] = node.variables
      const withFirst = first === undefined ? scope : withVariable(scope, first, second === undefined ? item : key)
      return render(node.body, { ...(second === undefined ? withFirst : withVariable(withFirst, second, item)), dot: item })
    })
    .join('')
}

function withVariable(scope: Scope, name: string, value: unknown): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, value]]) }
}

function valueOf(pipeline: Pipeline, scope: Scope): unknown {
  return pipeline.reduce<{ value?: unknown }>((piped, command) => ({ value: resultOf(command, scope, piped) }), {}).value
}

function resultOf({ name, operands }: Command, scope: Scope, piped: { value?: unknown }): unknown {
  const given = [...operands.map((operand) => operandValue(operand, scope)), ...('value' in piped ? [piped.value] : [])]
  if (name === null) return given[0]
  if (name === 'include') {
    const [template, dot] = given
    const nodes = scope.definitions.get(printed(template))
    if (nodes === undefined) throw new Error(`Nothing is called ${printed(template)}`)
    return renderTemplate(nodes, dot, scope.definitions)
  }
  const known = TEMPLATE_FUNCTIONS[name]
  if (known === undefined) throw new Error(`The function ${name} is not among those that are known here`)
  return known(...given)
}

function operandValue(operand: Operand, scope: Scope): unknown {
  if (operand.kind === 'value') return operand.value
  if (operand.kind === 'pipeline') return valueOf(operand.pipeline, scope)
  const base = operand.kind === 'field' ? scope.dot : operand.base === '$' ? scope.root : variableOf(operand.base, scope)
  return operand.path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null) throw new Error(`There is nothing to have ${name}`)
    return (value as Readonly<Record<string, unknown>>)[name]
  }, base)
}

function variableOf(name: string, scope: Scope): unknown {
  if (!scope.variables.has(name)) throw new Error(`No variable ${name}`)
  return scope.variables.get(name)
}
