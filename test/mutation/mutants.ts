/** Lists the changes that Stryker's mutators make to a source, each as a span of the text and its replacement. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@stryker-mutator/api/logging'
import { commonTokens } from '@stryker-mutator/api/plugin'
import { createInstrumenter } from '@stryker-mutator/instrumenter'
import { createInjector } from 'typed-inject'
import { isProse, type NodePath } from './prose.js'

export interface Mutant {
  /** Path from the root. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Offsets in the file's text, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Stryker's name of the mutator. */
  readonly mutator: string
  readonly replacement: string
}

export interface MutatedSource {
  readonly file: string
  readonly text: string
  readonly mutants: readonly Mutant[]
  /** Number of changes that are not tried: disabled in the source, or of prose. */
  readonly ignored: number
}

const isOff = () => false
const ignore = () => undefined
const silent: Logger = {
  ...{
    isTraceEnabled: isOff,
    isDebugEnabled: isOff,
    isInfoEnabled: isOff,
    isWarnEnabled: isOff,
    isErrorEnabled: isOff,
    isFatalEnabled: isOff
  },
  ...{ trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

/** Reads the changes of one source under `root`. */
export async function readMutants(root: string, file: string): Promise<MutatedSource> {
  const text = readFileSync(join(root, file), 'utf8')
  const instrumenter = createInjector()
    .provideValue(commonTokens.getLogger, () => silent)
    .provideValue(commonTokens.logger, silent)
    .injectFunction(createInstrumenter)
  const { mutants } = await instrumenter.instrument([{ name: file, mutate: true, content: text }], {
    plugins: null,
    excludedMutations: [],
    ignorers: [{ shouldIgnore: (path) => (isProse(path as NodePath) ? 'prose' : undefined) }]
  })
  const starts = lineStarts(text)
  const offsetOf = ({ line, column }: { line: number; column: number }) => (starts[line] ?? 0) + column
  const tried = mutants
    .filter(({ status }) => status === undefined)
    .map(({ location, mutatorName, replacement }) => ({
      file,
      line: location.start.line + 1,
      column: location.start.column + 1,
      start: offsetOf(location.start),
      end: offsetOf(location.end),
      mutator: mutatorName,
      // Parentheses, because an operator around this one may bind more tightly than the replacement.
      replacement: mutatorName === 'LogicalOperator' ? `(${replacement})` : replacement
    }))
  return { file, text, mutants: tried, ignored: mutants.length - tried.length }
}

/** Applies the change to the text. */
export function mutate(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Identifies a change of a file by its place and replacement. Equal across runs while the file's text is unchanged. */
export function mutantName({ file, start, end, replacement }: Mutant): string {
  return `${file}:${start}-${end}:${replacement.length > 80 ? createHash('sha256').update(replacement).digest('hex') : replacement}`
}

function lineStarts(text: string): number[] {
  return text.split('\n').reduce<number[]>((starts, line) => [...starts, (starts.at(-1) ?? 0) + line.length + 1], [0])
}
