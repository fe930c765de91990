/** Commands that run a service, or several. */
import type { Command } from 'commander'
import type { LocalNodesOptions } from '../commands/cluster.js'
import type { ServeOptions } from '../commands/serve.js'

export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .summary('run the service')
    .description('Runs the service until SIGTERM or Ctrl-C, as SERVICE_* variables say. Options win over variables.')
    .option('--port <number>', 'where it listens; 0 takes a free port (SERVICE_PORT)')
    .option('--host <name>', 'address to listen on (SERVICE_HOST)')
    .option('--data <folder>', 'keeps sessions in an SQLite database in this folder (DATABASE_URL)')
    .option('--license-key <file>', 'public key that licence tokens are verified with (SERVICE_LICENSE_PUBLIC_KEY)')
    .option('--anonymous', 'lets everybody in who reaches the port (SERVICE_ALLOW_ANONYMOUS)')
    .addHelpText(
      'after',
      `
Examples:
  engram serve --anonymous --data ~/.engram
  engram license keygen --out keys && engram serve --license-key keys/license-public.pem
  DATABASE_URL=postgres://… SERVICE_STATE_PERSIST=1 SERVICE_LICENSE_PUBLIC_KEY=… engram serve`
    )
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../commands/serve.js')
      await serve(options)
    })

  for (const [name, inspector, summary] of [
    ['dev', false, 'run the service on this machine with a token to call it'],
    ['inspect', true, 'the same with the inspector of Stately']
  ] as const) {
    program
      .command(name)
      .summary(summary)
      .description(
        `${inspector ? 'Like dev, and shows the actors to the inspector of Stately. ' : ''}\
Runs the service on loopback, with a key of its own in .engram/, and prints a token and a line to paste.`
      )
      .option('--port <number>', 'where it listens; 0 takes a free port (SERVICE_PORT)')
      .action(async (options: { readonly port?: string }) => {
        const { runDevelopment } = await import('../commands/dev.js')
        await runDevelopment({ ...options, inspector })
      })
  }

  program
    .command('demo')
    .summary('replay a month of conversation, and leave a service that answers')
    .description('Starts a service in memory, replays a month of conversation through it, and keeps it until Ctrl-C.')
    .option('--exit', 'end after the summary')
    .action(async (options: { readonly exit?: true }) => {
      const { showDemo } = await import('../commands/demo.js')
      await showDemo(options)
    })

  program
    .command('cluster')
    .summary('run three nodes on this machine')
    .description('Runs three nodes with a NATS server and a database of their own, as far as those are installed, until Ctrl-C.')
    .option('--port <number>', 'port of the first node; the others take the next ones, 0 takes free ones', '8001')
    .option('--data <folder>', 'keeps the database here; default: a temporary folder')
    .action(async (options: LocalNodesOptions) => {
      const { runLocalNodes } = await import('../commands/cluster.js')
      await runLocalNodes(options)
    })
}
