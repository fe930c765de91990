/** Inserts a call at the start of each function of a source file, so that a run can be traced. */
import ts from 'typescript'

/** Called by an instrumented file with its path and the name of the entered function. */
export const ENTERED = '__entered'

/** Returns the text with a call at the start of every function. Everything else is unchanged, including line numbers. */
export function instrument(path: string, text: string): string {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const insertions: { readonly at: number; readonly text: string }[] = []
  function visit(node: ts.Node): void {
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined
    if (body !== undefined) {
      const call = `${ENTERED}(${JSON.stringify(path)}, ${JSON.stringify(nameOf(node))})`
      if (ts.isBlock(body)) insertions.push({ at: body.getStart(tree) + 1, text: `${call};` })
      else insertions.push({ at: body.getStart(tree), text: `(${call}, ` }, { at: body.getEnd(), text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  let instrumented = text
  // From the end, so that earlier positions stay valid. Of two insertions at one position, the outer function's comes first.
  for (const { at, text: inserted } of [...insertions].reverse().sort((a, b) => b.at - a.at))
    instrumented = instrumented.slice(0, at) + inserted + instrumented.slice(at)
  return instrumented
}

/** The function's own name, else the name it is assigned to, else that of the enclosing function. */
function nameOf(node: ts.Node): string {
  if ('name' in node && node.name !== undefined) return (node.name as ts.Node).getText()
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  if (ts.isCallExpression(parent)) return `→ ${parent.expression.getText().split('\n')[0] ?? ''}`
  for (let outer = parent; !ts.isSourceFile(outer); outer = outer.parent) if (ts.isFunctionLike(outer)) return nameOf(outer)
  return 'anonymous'
}
