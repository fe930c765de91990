/** What can be changed in a source: by Stryker's mutators, each change as a span of the text and what stands there instead. */
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
  /** In characters of the file's text. */
  readonly start: number
  readonly end: number
  /** Stryker's name of the sort of change. */
  readonly mutator: string
  readonly replacement: string
}

export interface MutatedSource {
  readonly file: string
  readonly text: string
  readonly mutants: readonly Mutant[]
  /** Changes that are not tried: marked in the source, or of prose. */
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

/** Of one source under `root`. */
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
      // What stands around an operator may bind more closely than the other one.
      replacement: mutatorName === 'LogicalOperator' ? `(${replacement})` : replacement
    }))
  return { file, text, mutants: tried, ignored: mutants.length - tried.length }
}

/** The text with the change in it. */
export function mutate(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The same for the same change of the same text at the same place. */
export function mutantName({ file, start, end, replacement }: Mutant): string {
  return `${file}:${start}-${end}:${replacement.length > 80 ? createHash('sha256').update(replacement).digest('hex') : replacement}`
}

function lineStarts(text: string): number[] {
  return text.split('\n').reduce<number[]>((starts, line) => [...starts, (starts.at(-1) ?? 0) + line.length + 1], [0])
}
