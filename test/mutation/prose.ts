/**
 * Excludes texts for people from mutation: messages of errors and logs that have more than one word. A test of the exact words would
 * duplicate them. Codes, names and everything that is stored, sent or read by a program are mutated.
 */

/** The part of Babel's path to a node that the rule needs. */
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

/** Expressions that may lie between a text and the error or log that says it: choices, concatenations, templates. */
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

/** Whether the node creates an error or writes a log. */
function says(path: NodePath): boolean {
  const { type, callee } = path.node
  if (type === 'NewExpression') return (callee?.name ?? '').endsWith('Error')
  return type === 'CallExpression' && LOGGED.test(path.toString().split('(', 1)[0] ?? '')
}
