/** Generates the client's types as a source file, with one line per path and one per schema. */
import openapiTS from 'openapi-typescript'
import ts from 'typescript'

type Tree = Record<string, unknown>

/** Returns the text of `src/client/openapi.ts`. `document` is the OpenAPI document as served. */
export async function clientTypesFile(document: string): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(trimmed(JSON.parse(document) as Tree)), {
    defaultNonNullable: false,
    emptyObjectsUnknown: true
  })
  const lines = nodes.filter(isUsed).flatMap(linesOf)
  return ['/** Written by `npm run client:types` from the OpenAPI document of the service. */', ...lines, ''].join('\n')
}

/** Removes refusals, which are the same for every call, and operation ids: paths identify operations. */
function trimmed(document: Tree): Tree {
  return {
    ...document,
    paths: mapped(document['paths'] as Record<string, Tree>, (item) => mapped(item as Record<string, Tree>, withoutRefusals))
  }
}

function withoutRefusals({ operationId: _, responses, ...operation }: Tree): Tree {
  const successes = Object.entries(responses as Tree).filter(([status]) => status.startsWith('2'))
  return { ...operation, responses: Object.fromEntries(successes) }
}

function mapped(tree: Record<string, Tree>, change: (value: Tree) => Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, change(value)]))
}

function isUsed(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) && ['paths', 'components'].includes(node.name.text)
}

/** Prints a declaration with one line per member, and one line per schema. */
function linesOf(node: ts.Node): string[] {
  if (!ts.isInterfaceDeclaration(node)) return []
  const members = node.members.flatMap((member) => {
    const isSchemas = ts.isPropertySignature(member) && ts.isIdentifier(member.name) && member.name.text === 'schemas'
    if (!isSchemas || member.type === undefined || !ts.isTypeLiteralNode(member.type)) return [`  ${oneLine(member)}`]
    return ['  schemas: {', ...member.type.members.map((schema) => `    ${oneLine(schema)}`), '  }']
  })
  return [`export interface ${node.name.text} {`, ...members, '}']
}

const printer = ts.createPrinter()
const nowhere = ts.createSourceFile('openapi.ts', '', ts.ScriptTarget.ES2023)

/** Keeps comments, because editors show them. */
function oneLine(node: ts.Node): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, ts.setSyntheticLeadingComments(node, undefined), nowhere)
  const lines = text.split('\n').map((line) => line.trim().replace(/^\* /, ''))
  return lines.join(' ').replace(/\{ \[(?:name|key): string\]: (\w+); \}/g, 'Record<string, $1>')
}
