/** What the programs behind `npm run` are told after `--`: `--help` says what they take, and what they do not take is refused. */
import process from 'node:process'
import { parseArgs, type ParseArgsConfig } from 'node:util'

const EXIT_USAGE = 2

/** `usage`: how the program is called, and below it what its arguments mean. Ends the process where there is nothing to do. */
export function readArguments<Config extends ParseArgsConfig>(usage: string, config: Config): ReturnType<typeof parseArgs<Config>> {
  const args = process.argv.slice(2)
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`usage: ${usage}\n`)
    process.exit()
  }
  try {
    return parseArgs(config)
  } catch (error) {
    return refuseArguments(usage, error instanceof Error ? error.message : 'Bad arguments')
  }
}

/** Of a program that takes numbers alone, such as `-- 10 100`. Ends the process where one is none. */
export function readNumbers(usage: string): number[] {
  const { positionals } = readArguments(usage, { allowPositionals: true })
  const numbers = positionals.map(Number)
  return numbers.every(Number.isFinite) ? numbers : refuseArguments(usage, 'Not a number')
}

/** Ends the process: what it was told cannot be done. */
export function refuseArguments(usage: string, reason: string): never {
  process.stderr.write(`${reason}\nusage: ${usage}\n`)
  process.exit(EXIT_USAGE)
}
