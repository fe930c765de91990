/** Commands that run a service, or several. */
import type { Command } from 'commander'
import type { LocalNodesOptions } from '../commands/cluster.js'
import type { ServeOptions } from '../commands/serve.js'

export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .summary('run the service')
    .description('Runs the service until SIGTERM or Ctrl-C, configured by SERVICE_* variables. Options win over variables.')
    .option('--port <number>', 'port to listen on; 0 takes a free one (SERVICE_PORT)')
    .option('--host <name>', 'address to listen on (SERVICE_HOST)')
    .option('--data <folder>', 'folder of an SQLite database to keep sessions in (DATABASE_URL)')
    .option('--license-key <file>', 'public key that verifies licence tokens (SERVICE_LICENSE_PUBLIC_KEY)')
    .option('--anonymous', 'let everybody in who can reach the port (SERVICE_ALLOW_ANONYMOUS)')
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
    ['inspect', true, 'the same, with the inspector of Stately']
  ] as const) {
    program
      .command(name)
      .summary(summary)
      .description(
        `${inspector ? 'Like dev, and also shows the actors in the inspector of Stately. ' : ''}\
Runs the service on loopback with its own key in .engram/, and prints a token and a command to try.`
      )
      .option('--port <number>', 'port to listen on; 0 takes a free one (SERVICE_PORT)')
      .action(async (options: { readonly port?: string }) => {
        const { runDevelopment } = await import('../commands/dev.js')
        await runDevelopment({ ...options, inspector })
      })
  }

  program
    .command('demo')
    .summary('replay a month of conversation, and leave a service that answers')
    .description('Starts a service in memory, replays a month of conversation through it, and keeps it until Ctrl-C.')
    .option('--exit', 'exit after the summary')
    .action(async (options: { readonly exit?: true }) => {
      const { showDemo } = await import('../commands/demo.js')
      await showDemo(options)
    })

  program
    .command('cluster')
    .summary('run three nodes on this machine')
    .description(
      'Runs three nodes with their own NATS server and database until Ctrl-C. Needs nats-server, and PostgreSQL or Redis, to be installed.'
    )
    .option('--port <number>', 'port of the first node; the others take the next ones; 0 takes free ones', '8001')
    .option('--data <folder>', 'folder to keep the database in; default: a temporary one')
    .action(async (options: LocalNodesOptions) => {
      const { runLocalNodes } = await import('../commands/cluster.js')
      await runLocalNodes(options)
    })
}
