/** Arguments of the programs behind `npm run`, given after `--`: `--help` prints the usage, and unknown arguments are refused. */
import process from 'node:process'
import { parseArgs, type ParseArgsConfig } from 'node:util'

const EXIT_USAGE = 2

/** `usage`: how the program is called, and below it what its arguments mean. Ends the process after `--help` or refused arguments. */
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

/** Reads the arguments of a program that takes only finite numbers, such as `-- 10 100`. Ends the process if one is anything else. */
export function readNumbers(usage: string): number[] {
  const { positionals } = readArguments(usage, { allowPositionals: true })
  const numbers = positionals.map(Number)
  return numbers.every(Number.isFinite) ? numbers : refuseArguments(usage, 'Not a number')
}

/** Prints the reason and the usage to stderr, and ends the process with status 2. */
export function refuseArguments(usage: string, reason: string): never {
  process.stderr.write(`${reason}\nusage: ${usage}\n`)
  process.exit(EXIT_USAGE)
}
