/** Definition of a tool, and validation of a model's arguments. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { ToolContext } from '../calls/service.js'

/** What clients may assume about a tool before they let a model call it. */
interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Read-only. */
export const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Adds; repeating a call adds nothing. */
export const ADDS: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
/** Every call has an effect. */
export const TURNS: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
/** Deletes irrecoverably. */
export const ERASES: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  readonly name: string
  readonly title: string
  /** For the model: what the tool does, when to use it and when not, an example. */
  readonly description: string
  readonly hints: ToolHints
  readonly input: Input
  readonly output: Output
  /** Throws CallFailure. */
  run(given: Static<Input>, context: ToolContext): Promise<Static<Output>>
  /** Text for clients that show a model only text. Default: the result as JSON. */
  toText?(result: Static<Output>): string
}

interface ToolResult {
  readonly structured: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A tool as the server sees it, independent of its argument types. */
export interface Tool extends Pick<ToolDefinition<TObject, TObject>, 'name' | 'title' | 'description' | 'hints' | 'input' | 'output'> {
  /** Throws ArgumentsError or CallFailure. */
  run(given: unknown, context: ToolContext): Promise<ToolResult>
}

/** The arguments are invalid. The message names the problems, for the model. */
export class ArgumentsError extends Error {
  constructor(findings: readonly string[]) {
    super(`${findings.join('; ')}. Correct the arguments, then call again.`)
    this.name = 'ArgumentsError'
  }
}

/** Maximum problems reported at once: more do not help a model. */
const FINDINGS_MAX = 5

export function defineTool<Input extends TObject, Output extends TObject>(definition: ToolDefinition<Input, Output>): Tool {
  const { name, title, description, hints, input, output, run, toText = (result) => JSON.stringify(result) } = definition
  const checker = TypeCompiler.Compile(input)
  return {
    ...{ name, title, description, hints, input, output },
    async run(received, context) {
      const given = withoutNulls(received)
      if (!checker.Check(given)) throw new ArgumentsError(findingsOf(checker.Errors(given)))
      const structured = await run(given, context)
      return { structured, text: toText(structured) }
    }
  }
}

/** Interface: a null field counts as not given. */
function withoutNulls(received: unknown): unknown {
  if (typeof received !== 'object' || received === null) return received ?? {}
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== null))
}

function findingsOf(errors: Iterable<ValueError>): string[] {
  const findings = new Map<string, string>()
  for (const { type, path, schema } of errors) {
    const name = nameOf(path)
    if (!findings.has(name)) findings.set(name, `${name}: ${wordingOf(type, schema)}`)
    if (findings.size >= FINDINGS_MAX) break
  }
  return [...findings.values()]
}

/** `/texts/0` → `texts[0]` */
function nameOf(path: string): string {
  const name = path.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replace(/\//g, '.')
  return name.replace(/^\./, '') || 'arguments'
}

function wordingOf(type: ValueErrorType, schema: TSchema): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'there is no such argument'
  if (type === ValueErrorType.ObjectRequiredProperty) return `is missing, it has to be ${shapeOf(schema)}`
  return `has to be ${shapeOf(schema)}`
}

/** Describes in words what a schema requires. */
function shapeOf(schema: TSchema): string {
  const {
    type,
    enum: words,
    minLength,
    maxLength,
    minimum,
    maximum,
    minItems,
    maxItems,
    pattern
  } = schema as Readonly<Record<string, unknown>>
  if (Array.isArray(words)) return `one of ${words.join(', ')}`
  const rule = typeof pattern === 'string' ? ` that matches ${pattern}` : ''
  if (type === 'string') return `a text${rangeOf(minLength, maxLength, ' characters')}${rule}`
  if (type === 'array') return `a list${rangeOf(minItems, maxItems, ' items')}`
  if (type === 'integer' || type === 'number') return `a${type === 'integer' ? ' whole' : ''} number${rangeOf(minimum, maximum, '')}`
  return type === 'boolean' ? 'true or false' : 'an object'
}

function rangeOf(least: unknown, most: unknown, unit: string): string {
  if (typeof least === 'number' && typeof most === 'number') return ` of ${least} to ${most}${unit}`
  if (typeof least === 'number') return ` of at least ${least}${unit}`
  return typeof most === 'number' ? ` of at most ${most}${unit}` : ''
}
