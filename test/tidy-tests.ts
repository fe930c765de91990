/** Rules for tests: none is skipped, none runs exclusively, each has a readable name, and each asserts something. */
import ts from 'typescript'
import type { SourceFile } from './source-files.js'
import { check, isConstant, isSame, syntaxRule } from './source-rules.js'

/** Assertions that compare values. `t.pass` and `t.fail` only show how far a test came, and `t.comment` asserts nothing. */
const COMPARING =
  /^t\.(ok|notOk|equal|not|same|notSame|strictSame|strictNotSame|match|notMatch|has|hasStrict|notHas|type|throws|rejects|resolves|resolveMatch)$/

/** Whether the option is always on. Other options of that name, as those of a program, have a number or an object as value. */
function isAlways(node: ts.Expression): boolean {
  return (
    isConstant(node) &&
    ![ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NumericLiteral, ts.SyntaxKind.ObjectLiteralExpression].includes(node.kind)
  )
}

/** The body of a test: the last argument of `test`. */
function bodyOf(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !/(^|\.)test$/.test(node.expression.getText())) return undefined
  return node.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
}

/** Whether the body can fail by itself: by an assertion, a property, or a function that is given the test. */
function asserts(body: ts.Node): boolean {
  let isFound = false
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText()
      isFound ||= /(^|\.)t\.|^fc\.assert$/.test(called) && !/^t\.(comment|teardown|setTimeout)$/.test(called)
      isFound ||= node.arguments.some((argument) => argument.getText() === 't') || /^assert|Throws$/.test(called)
    }
    if (!isFound) ts.forEachChild(node, visit)
  }
  visit(body)
  return isFound
}

/** A comma between subject and verb. Excludes clauses with a conjunction, which may be lists of verbs. */
const COMMA_BEFORE_VERB = /(?:^.|[;:] )[^,;:]+, (?:is|are|was|were|has|have|does|do|did|may|can|cannot|must)\b(?![^;:]* (?:and|or) )/

/** The name of a test, with its quotes: the first argument of `test`, or a key of a contract. */
function testNameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAssignment(node)) return ts.isArrowFunction(node.initializer) ? node.name : undefined
  return ts.isCallExpression(node) && /(^|\.)test$/.test(node.expression.getText()) ? node.arguments[0] : undefined
}

/** Runs one test per rule. */
export function checkTests(tests: ReadonlyMap<string, SourceFile>): void {
  check(
    'tests: none set aside, none alone; a skip has a condition',
    tests,
    syntaxRule((node) => {
      const name = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) ? node.name.getText() : ''
      if (!/^(only|skip|todo)$/.test(name)) return null
      if (ts.isPropertyAccessExpression(node)) {
        const isCall = ts.isCallExpression(node.parent) && node.parent.expression === node
        return isCall && /^(t|tap|test)$/.test(node.expression.getText()) ? `.${name}()` : null
      }
      if (!ts.isPropertyAssignment(node)) return null
      return isAlways(node.initializer) ? `${name}: always` : null
    })
  )

  check(
    'tests: no assertion on constants alone, or on one thing and itself',
    tests,
    syntaxRule((node) => {
      if (!ts.isCallExpression(node) || !COMPARING.test(node.expression.getText())) return null
      const compared = /ok$/i.test(node.expression.getText()) ? node.arguments.slice(0, 1) : node.arguments.slice(0, 2)
      const [found, wanted] = compared
      const isItself = found !== undefined && wanted !== undefined && isSame(found, wanted)
      return compared.every(isConstant) || isItself ? node.getText() : null
    })
  )

  check(
    'tests: each asserts something',
    tests,
    syntaxRule((node) => {
      const body = bodyOf(node)
      return body === undefined || asserts(body) ? null : node.getText().slice(0, 80)
    })
  )

  check(
    'tests: names without a comma between subject and verb',
    tests,
    syntaxRule((node, { path }) => {
      const name = path.startsWith('test/') ? (testNameOf(node)?.getText() ?? '') : ''
      return COMMA_BEFORE_VERB.test(name) ? name : null
    })
  )
}
