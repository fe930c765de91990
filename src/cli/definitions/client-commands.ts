/** Commands that call a running service. */
import { type Command, Option } from 'commander'
import type { ChatOptions } from '../commands/chat.js'
import type { ImportOptions } from '../commands/import.js'
import type { McpOptions } from '../commands/mcp.js'
import type { SearchOptions } from '../commands/search.js'
import { IMPORT_FORMATS } from '../importing/formats.js'

/** Default address of the service. */
const LOCAL_SERVICE = 'http://127.0.0.1:8000'

/** Adds the options of commands that call a service. The token is never an option, because `ps` shows arguments to everybody. */
export function withService(command: Command): Command {
  return command
    .addOption(new Option('--url <address>', 'address of the service').env('ENGRAM_URL').default(LOCAL_SERVICE))
    .option('--token-file <file>', 'file to read the licence token from, instead of ENGRAM_TOKEN')
}

export function addClientCommands(program: Command): void {
  withService(program.command('search'))
    .summary('search the memories of a session')
    .description('Searches the memories of a session. Changes nothing.')
    .argument('<session>', 'id of the session')
    .argument('<query...>', 'what to look for')
    .option('-k, --top <number>', 'maximum number of results', '10')
    .option('--user <id>', 'only memories of this data subject')
    .option('--json', 'print the answer of the service as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  engram search anna when do we fly\n  engram search anna 'two-factor login' --json | jq '.results[0].text'`
    )
    .action(async (session: string, query: readonly string[], options: SearchOptions) => {
      const { search } = await import('../commands/search.js')
      await search(session, query.join(' '), options)
    })

  withService(program.command('chat'))
    .summary('talk to a session, and see what it remembers')
    .description(
      `Sends each input line as a turn, and shows the context block for the prompt, the drift and the short circuit of the answer.
With --upstream it shows the memories nearest to the line, the model's answer as it arrives, and whether the turn drifted.`
    )
    .argument('[session]', 'id of the session; default: a new one')
    .option('--upstream', 'let the model behind the chat proxy answer')
    .option('--model <name>', 'model to ask for through the proxy', 'default')
    .option('--json', 'print the answer to each turn as a line of JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  engram chat anna\n  engram chat anna --upstream --model llama3.2\n  printf 'Hello\\nWhere do we fly?\\n' | engram chat anna --json`
    )
    .action(async (session: string | undefined, options: ChatOptions) => {
      const { chat } = await import('../commands/chat.js')
      await chat(session, options)
    })

  withService(program.command('import'))
    .summary('import memories of mem0, Redis or Zep, LangChain histories or JSONL chats')
    .description(
      'Imports memories from a file. Importing a file twice adds nothing. To continue an interrupted import, run the same command again.'
    )
    .argument('<file>', 'file to import')
    .addOption(new Option('--format <name>', 'format of the file; default: detected').choices(IMPORT_FORMATS))
    .option('--session <id>', 'session to import everything into; default: as the file says, otherwise named after the file')
    .option('--user <id>', 'data subject of items that name none')
    .option('--dry-run', 'read and count only, send nothing')
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  engram import mem0.json --dry-run\n  engram import history.json --format langchain --session anna`
    )
    .action(async (file: string, options: ImportOptions) => {
      const { importFile } = await import('../commands/import.js')
      await importFile(file, options)
    })

  program
    .command('mcp')
    .summary('serve tools of the Model Context Protocol')
    .description(
      'Serves the Model Context Protocol on standard input and output, for a client such as Claude Desktop that starts this command.'
    )
    .addOption(
      new Option('--url <address>', 'address of a running service, called with ENGRAM_TOKEN; default: a service in this process').env(
        'ENGRAM_URL'
      )
    )
    .option('--data <folder>', 'where the service in this process keeps its memory; default: .engram in the home directory')
    .option('--session <id>', 'session for calls that name none', 'default')
    .action(async (options: McpOptions) => {
      const { runMcp } = await import('../commands/mcp.js')
      await runMcp(options)
    })
}
