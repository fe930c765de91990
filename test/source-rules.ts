/** Rules for source files, each run as one test that names every violation. */
import t from 'tap'
import ts from 'typescript'
import { lineOf, type SourceFile, walk } from './source-files.js'

/** Returns one line per violation, so that a failure names all of them. */
export type Rule = (file: SourceFile) => string[]

export function check(name: string, files: ReadonlyMap<string, SourceFile>, rule: Rule): void {
  t.test(name, async (t) => {
    t.strictSame([...files.values()].flatMap(rule), [])
  })
}

/** A rule for syntax. `find` returns what is wrong with a node, or null. */
export function syntaxRule(find: (node: ts.Node, file: SourceFile) => string | null): Rule {
  return (file) => {
    const found: string[] = []
    walk(file.tree, (node) => {
      const problem = find(node, file)
      if (problem !== null) found.push(`${file.path}:${lineOf(file.tree, node)} ${problem}`)
    })
    return found
  }
}

/**
 * Members read from the object called `name`, in any notation: `a.b`, `a['b']`, `{ b } = a`. `*` for an unknown member; null if the node
 * reads none.
 */
export function membersRead(node: ts.Node, name: string): readonly string[] | null {
  if (!isReference(node, name)) return null
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return [parent.name.text]
  if (ts.isElementAccessExpression(parent) && parent.expression === node) {
    return [ts.isStringLiteralLike(parent.argumentExpression) ? parent.argumentExpression.text : '*']
  }
  if (ts.isVariableDeclaration(parent) && parent.initializer === node && ts.isObjectBindingPattern(parent.name)) {
    return parent.name.elements.map(({ propertyName, name: bound, dotDotDotToken }) =>
      dotDotDotToken === undefined ? (propertyName ?? bound).getText() : '*'
    )
  }
  return ['*']
}

/** Whether the node uses that name as a value, rather than as a property, a key, a type or a declaration. */
export function isReference(node: ts.Node, name: string): boolean {
  if (!ts.isIdentifier(node) || node.text !== name) return false
  const { parent } = node
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent) || ts.isTypeQueryNode(parent)) return false
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  const named = parent as ts.Node & { readonly name?: ts.Node; readonly propertyName?: ts.Node }
  return named.name !== node && named.propertyName !== node
}

/** Whether the expression is constant: a literal, or composed of literals only. */
export function isConstant(node: ts.Node): boolean {
  if (ts.isLiteralExpression(node)) return true
  if (ts.isPrefixUnaryExpression(node)) return isConstant(node.operand)
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return isConstant(node.expression)
  // Not constant for `in`, which may find a member of the prototype.
  if (ts.isBinaryExpression(node)) return !isWord(node.operatorToken) && isConstant(node.left) && isConstant(node.right)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isConstant)
  if (ts.isObjectLiteralExpression(node)) return node.properties.every((one) => ts.isPropertyAssignment(one) && isConstant(one.initializer))
  if (ts.isIdentifier(node)) return node.text === 'undefined'
  return [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
}

function isWord({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.InKeyword || kind === ts.SyntaxKind.InstanceOfKeyword
}

/** Whether both are the same name or member. Calls never are, since they may return different results. */
export function isSame(a: ts.Node, b: ts.Node): boolean {
  return isName(a) && a.getText() === b.getText()
}

function isName(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isNonNullExpression(node)) return isName(node.expression)
  if (ts.isElementAccessExpression(node))
    return isName(node.expression) && (isName(node.argumentExpression) || isConstant(node.argumentExpression))
  return ts.isIdentifier(node) || node.kind === ts.SyntaxKind.ThisKeyword
}
