/** The lines that a test run prints. */
import { stringify } from 'yaml'
import type { Counts, FileOutcome } from './test-run.js'

/** Number of slowest files named at the end. */
const SLOWEST = 10

/** One line for a file that passed; failures and output as well for one that did not. */
export function fileLines({ file, ms, counts, isOk, failures, said }: FileOutcome): string[] {
  const skipped = counts.skip === 0 ? '' : `, ${String(counts.skip)} skipped`
  const head = `${isOk ? 'ok' : 'not ok'} ${file} # ${String(counts.pass)} passed${skipped}, ${seconds(ms)}`
  if (isOk) return [head]
  const details = failures.flatMap(({ name, diag }) => [`  not ok ${name}`, ...indented(stringify(diag), '    ')])
  return [head, ...details, ...indented(said, '  | ')]
}

/** The slowest files, then totals in tap's format last, where other tools expect them. */
export function closingLines(outcomes: readonly FileOutcome[], ms: number): string[] {
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  const failed = outcomes.filter(({ isOk }) => !isOk)
  return [
    ...(outcomes.length > 1 ? ['# slowest:', ...slowest.map((outcome) => `#   ${seconds(outcome.ms)} ${outcome.file}`)] : []),
    ...(failed.length === 0 ? [] : ['# failed:', ...failed.map(({ file }) => `#   ${file}`)]),
    ...skippedLines(outcomes),
    totalsLine(outcomes.map(({ counts }) => counts)),
    `# ${String(outcomes.length)} files in ${seconds(ms)}`
  ]
}

/** One line if tests were skipped: how many, and the command that installs what they need. */
function skippedLines(outcomes: readonly FileOutcome[]): string[] {
  const reasons = outcomes.flatMap(({ skips }) => skips.map(({ reason }) => reason))
  const packages = new Set(reasons.flatMap((reason) => /apt-get install (\S+)/.exec(reason)?.[1] ?? []))
  const command = packages.size === 0 ? [] : [`apt-get install ${[...packages].sort().join(' ')}`]
  return reasons.length === 0 ? [] : [[`# skipped: ${String(reasons.length)}`, ...command].join(': ')]
}

function totalsLine(all: readonly Counts[]): string {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0)
  const rest = (['fail', 'skip', 'todo'] as const).filter((name) => sum(name) > 0).map((name) => `, ${name}: ${String(sum(name))}`)
  return `# { total: ${String(sum('total'))}, pass: ${String(sum('pass'))}${rest.join('')} }`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function indented(text: string, by: string): string[] {
  return text.trimEnd() === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => by + line)
}
