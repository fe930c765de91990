/** Notes in a source file where each of its functions begins, so that a run can be followed from function to function. */
import ts from 'typescript'

/** What an instrumented file calls with its own path and the name of the function that was entered. */
export const ENTERED = '__entered'

/** The text with a call at the beginning of every function; nothing else of it changes, not even its lines. */
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
  // From the end, so that the places before are still right. Of two at one place, the outer one comes first in the text.
  for (const { at, text: inserted } of [...insertions].reverse().sort((a, b) => b.at - a.at))
    instrumented = instrumented.slice(0, at) + inserted + instrumented.slice(at)
  return instrumented
}

/** Its own name, or that of what it is given to; else that of the function that makes it. */
function nameOf(node: ts.Node): string {
  if ('name' in node && node.name !== undefined) return (node.name as ts.Node).getText()
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  if (ts.isCallExpression(parent)) return `→ ${parent.expression.getText().split('\n')[0] ?? ''}`
  for (let outer = parent; !ts.isSourceFile(outer); outer = outer.parent) if (ts.isFunctionLike(outer)) return nameOf(outer)
  return 'anonymous'
}
