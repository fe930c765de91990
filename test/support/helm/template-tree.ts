/** Parses template parts into a tree of pipelines, blocks and definitions. */
import { type Part, partsOf, type Word } from './template-parts.js'

export type Operand =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'field' | 'variable'; readonly base: string; readonly path: readonly string[] }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }

export interface Command {
  /** Null: its only operand is the value. */
  readonly name: string | null
  readonly operands: readonly Operand[]
}

export type Pipeline = readonly Command[]

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: Pipeline }
  | { readonly kind: 'set'; readonly variable: string; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range'
      readonly variables: readonly string[]
      readonly pipeline: Pipeline
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }

export type Definitions = Map<string, readonly Node[]>

/** Returns the nodes that a template prints, and adds its definitions to `definitions`. Throws for unknown syntax. */
export function parseTemplate(template: string, definitions: Definitions): readonly Node[] {
  const reader = { parts: partsOf(template), at: 0, definitions }
  const { nodes, ending } = readNodes(reader)
  if (ending !== null) throw new Error('A block ends that has not begun')
  return nodes
}

interface Reader {
  readonly parts: readonly Part[]
  at: number
  readonly definitions: Definitions
}

/** `ending`: the words of the `end` or `else` that was reached; null at the end of the template. */
function readNodes(reader: Reader): { nodes: Node[]; ending: readonly Word[] | null } {
  const nodes: Node[] = []
  for (;;) {
    const part = reader.parts[reader.at++]
    if (part === undefined) return { nodes, ending: null }
    if (part.kind === 'text') {
      nodes.push(part)
      continue
    }
    const keyword = nameOf(part.words[0])
    if (keyword === 'end' || keyword === 'else') return { nodes, ending: part.words }
    if (keyword === 'define') {
      const [, named] = part.words
      if (named?.kind !== 'value') throw new Error('A definition without a name')
      reader.definitions.set(String(named.value), readNodes(reader).nodes)
    } else if (keyword === 'if' || keyword === 'with' || keyword === 'range') {
      nodes.push(readBlock(reader, keyword, part.words.slice(1)))
    } else nodes.push(readStatement(part.words))
  }
}

function readBlock(reader: Reader, kind: 'if' | 'with' | 'range', words: readonly Word[]): Node {
  const assigned = words.findIndex((word) => word.kind === 'mark' && word.text === ':=')
  const variables = words.slice(0, Math.max(0, assigned)).flatMap((word) => (word.kind === 'variable' ? word.text : []))
  const pipeline = readPipeline(words.slice(assigned + 1))
  const { nodes: body, ending } = readNodes(reader)
  if (ending === null) throw new Error(`A block of ${kind} that does not end`)
  if (nameOf(ending[0]) === 'end') return { kind, variables, pipeline, body, otherwise: [] }
  const [, next, ...rest] = ending
  if (next === undefined) return { kind, variables, pipeline, body, otherwise: readNodes(reader).nodes }
  if (nameOf(next) !== 'if') throw new Error('Only "else if" is known')
  return { kind, variables, pipeline, body, otherwise: [readBlock(reader, 'if', rest)] }
}

function readStatement(words: readonly Word[]): Node {
  const [first, second, ...rest] = words
  if (first?.kind === 'variable' && second?.kind === 'mark' && second.text === ':=') {
    return { kind: 'set', variable: first.text, pipeline: readPipeline(rest) }
  }
  return { kind: 'print', pipeline: readPipeline(words) }
}

function readPipeline(words: readonly Word[]): Pipeline {
  return divided(words, '|').map(readCommand)
}

function readCommand(words: readonly Word[]): Command {
  const name = nameOf(words[0])
  const operands: Operand[] = []
  for (let at = name === null ? 0 : 1; at < words.length; at++) {
    const word = words[at]
    if (word?.kind === 'mark' && word.text === '(') {
      const end = closingOf(words, at)
      operands.push({ kind: 'pipeline', pipeline: readPipeline(words.slice(at + 1, end)) })
      at = end
    } else operands.push(operandOf(word))
  }
  if (name === null && operands.length !== 1) throw new Error('One value was expected')
  return { name, operands }
}

function operandOf(word: Word | undefined): Operand {
  if (word?.kind === 'value') return word
  if (word?.kind === 'field' || word?.kind === 'variable') {
    const [base = '', ...path] = word.text.split('.')
    return { kind: word.kind, base, path: path.filter((name) => name !== '') }
  }
  throw new Error(`No value: ${JSON.stringify(word)}`)
}

/** Splits at each `mark` outside of parentheses. */
function divided(words: readonly Word[], mark: string): Word[][] {
  const parts: Word[][] = [[]]
  let depth = 0
  for (const word of words) {
    if (word.kind === 'mark' && word.text === '(') depth++
    if (word.kind === 'mark' && word.text === ')') depth--
    if (word.kind === 'mark' && word.text === mark && depth === 0) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

function closingOf(words: readonly Word[], from: number): number {
  let depth = 0
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word?.kind !== 'mark') continue
    if (word.text === '(') depth++
    if (word.text === ')' && --depth === 0) return at
  }
  throw new Error('A parenthesis that does not end')
}

function nameOf(word: Word | undefined): string | null {
  return word?.kind === 'name' ? word.text : null
}
