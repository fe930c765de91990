/**
 * The rule by which texts for people are not mutated: what an error or a log says, when it has more than one word. A test of its exact
 * words would say the same thing twice. Codes, names and everything that is stored, sent or read by a program are mutated.
 */

/** As much of Babel's path to a node as the rule looks at. */
export interface NodePath {
  readonly node: {
    readonly type: string
    readonly value?: unknown
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
    readonly callee?: { readonly name?: string }
  }
  readonly parentPath: NodePath | null
  toString(): string
}

/** What a text may stand in before it is what somebody says: a choice, a sum of parts. */
const AROUND = new Set(['ConditionalExpression', 'LogicalExpression', 'BinaryExpression', 'TemplateLiteral'])
const LOGGED = /\blog(ger)?\.(trace|debug|info|warn|error|fatal)$/i

export function isProse(path: NodePath): boolean {
  if (!/\s/.test(textOf(path))) return false
  let around = path.parentPath
  while (around !== null && AROUND.has(around.node.type)) around = around.parentPath
  return around !== null && says(around)
}

function textOf({ node }: NodePath): string {
  if (node.type === 'StringLiteral') return String(node.value)
  return node.type === 'TemplateLiteral' ? (node.quasis ?? []).map(({ value }) => value.raw).join('…') : ''
}

/** Making an error, or logging. */
function says(path: NodePath): boolean {
  const { type, callee } = path.node
  if (type === 'NewExpression') return (callee?.name ?? '').endsWith('Error')
  return type === 'CallExpression' && LOGGED.test(path.toString().split('(', 1)[0] ?? '')
}
