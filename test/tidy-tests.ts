/** The house rules on tests: none is set aside, none is alone, each has a name that reads, and each says something. */
import ts from 'typescript'
import type { SourceFile } from './source-files.js'
import { check, isConstant, isSame, syntaxRule } from './source-rules.js'

/** Assertions that compare what is given. `t.pass` and `t.fail` say where a test has come, `t.comment` says nothing. */
const COMPARING =
  /^t\.(ok|notOk|equal|not|same|notSame|strictSame|strictNotSame|match|notMatch|has|hasStrict|notHas|type|throws|rejects|resolves|resolveMatch)$/

/** Of what else bears such a name, as an option of a program does, the value is a number or an object. */
function isAlways(node: ts.Expression): boolean {
  return (
    isConstant(node) &&
    ![ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NumericLiteral, ts.SyntaxKind.ObjectLiteralExpression].includes(node.kind)
  )
}

/** The body of a test: what `test` is called with last. */
function bodyOf(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !/(^|\.)test$/.test(node.expression.getText())) return undefined
  return node.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))
}

/** Whether something in it may fail by itself: an assertion, a property, or a function that is handed the test. */
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

/** A subject, a comma, its verb. What goes on with a conjunction may be a list of verbs, which a machine does not tell apart. */
const COMMA_BEFORE_VERB = /(?:^.|[;:] )[^,;:]+, (?:is|are|was|were|has|have|does|do|did|may|can|cannot|must)\b(?![^;:]* (?:and|or) )/

/** The name of a test, with its quotes: what `test` is called with, or a key of a contract. */
function testNameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAssignment(node)) return ts.isArrowFunction(node.initializer) ? node.name : undefined
  return ts.isCallExpression(node) && /(^|\.)test$/.test(node.expression.getText()) ? node.arguments[0] : undefined
}

/** One test a rule. */
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
