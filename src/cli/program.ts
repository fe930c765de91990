/** The command line of `engram`: commands, options and help. Implementations are loaded on the first call. */
import { Command } from 'commander'
import { EXIT } from './console/failure.js'
import { addClientCommands } from './definitions/client-commands.js'
import { addOperatorCommands } from './definitions/operator-commands.js'
import { addServiceCommands } from './definitions/service-commands.js'

const NOTES = `
Variables:
  ENGRAM_URL     address of the service that commands call (http://127.0.0.1:8000)
  ENGRAM_TOKEN   licence token for that service; --token-file reads it from a file
  NO_COLOR       turns colours off; they are used on a terminal only
  SERVICE_*      settings of the service itself: docs/configuration.md

Exit codes:
  0    done
  1    failed, or a check found something wrong
  2    wrong command line
  3    the service cannot be reached, or it refuses the token
  4    done in part: run the same command again to continue
  69   the service cannot start now (a server or port is not available)
  70   the service failed
  78   the service cannot start with these settings
  130  interrupted by Ctrl-C; a command that runs until Ctrl-C ends with 0`

/** Creates a program per parse, because a parse leaves its values in it. */
export function createProgram(): Command {
  const program = new Command('engram')
    .description('Semantic session memory for applications built on language models.')
    .usage('COMMAND [options]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showHelpAfterError('(add --help for more)')
    .addHelpText('after', NOTES)
    .exitOverride()
  addServiceCommands(program)
  addClientCommands(program)
  addOperatorCommands(program)
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Prints a shell script that completes the commands and options of engram.')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      `
Examples:
  source <(engram completion bash)
  engram completion zsh > "\${fpath[1]}/_engram"
  engram completion fish > ~/.config/fish/completions/engram.fish`
    )
    .action(async (shell: string) => {
      const { printCompletion } = await import('./commands/completion.js')
      printCompletion(shell, program)
    })
  program
    .command('help')
    .summary('print the help of a command')
    .description('Prints the help of a command, or of engram itself.')
    .argument('[command...]', 'the command, such as license sign')
    .action((names: readonly string[]) => namedIn(program, names).help())
  return program
}

/**
 * Returns a command by its names. An unknown one ends with exit code 2; the parser itself would print the general help as if it had been
 * asked for.
 */
function namedIn(program: Command, names: readonly string[]): Command {
  return names.reduce((parent, name) => {
    const found = parent.commands.find((command) => command.name() === name)
    return found ?? parent.error(`error: unknown command '${name}'`, { exitCode: EXIT.usage })
  }, program)
}
