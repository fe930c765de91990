/** Commands for the operator of a service: licences, models, backups, audit trails. */
import { type Command, Option } from 'commander'
import type { BackupOptions, RestoreOptions } from '../commands/backup.js'
import type { SignOptions } from '../commands/license.js'
import type { PullOptions } from '../commands/model-pull.js'
import type { VerifyAuditOptions } from '../commands/verify-audit.js'
import { withService } from './client-commands.js'

export function addOperatorCommands(program: Command): void {
  addLicenseCommands(program)
  addModelCommands(program)
  addBackupCommands(program)

  program
    .command('verify-audit')
    .summary('verify audit trails')
    .description(
      `Verifies the audit trails of these licence subjects, or of all, in the storage that SERVICE_* variables name. Prints a line for each:
the number of its entries, the first entry that is not as it was written, or that there is no trail. Redis and MongoDB keep no names of subjects: there,
a trail that was not asked for goes by the SHA-256 of its subject, in base64url.`
    )
    .argument('[subjects...]', 'licence subjects; default: all')
    .option('--json', 'a line of JSON for each trail')
    .addHelpText('after', '\nExit code 1: one is broken or missing, none was found, or one could not be read.')
    .action(async (subjects: readonly string[], options: VerifyAuditOptions) => {
      const { verifyAudit } = await import('../commands/verify-audit.js')
      await verifyAudit(subjects, options)
    })

  program
    .command('nats-init')
    .summary('make the streams between nodes')
    .description('Makes the streams that keep outbox messages between these nodes, as the user of NATS_URL, and ends.')
    .argument('<nodes...>', 'SERVICE_NODE_ID of each node; nodes that are not named get no outbox messages any more')
    .addHelpText('after', '\nExample:\n  NATS_URL=nats://init:password@host:4222 engram nats-init n1 n2 n3')
    .action(async (nodes: readonly string[]) => {
      const { makeOutboxStreams } = await import('../commands/nats-init.js')
      await makeOutboxStreams(nodes)
    })
}

function addLicenseCommands(program: Command): void {
  const license = program
    .command('license')
    .summary('make keys, and sign licences')
    .description('Makes keys, and signs licences with them.')
  license
    .command('keygen')
    .description('Writes license-private.pem and license-public.pem. Files that are there are never overwritten.')
    .requiredOption('--out <folder>', 'where to')
    .option('--json', 'print the paths as JSON')
    .action(async (options: { readonly out: string; readonly json?: true }) => {
      const { makeKeyPair } = await import('../commands/license.js')
      await makeKeyPair(options)
    })
  license
    .command('sign')
    .description('Prints a licence token. Without --days or --exp it never expires.')
    .requiredOption('--key <file>', 'the private key, PEM or JWK')
    .requiredOption('--sub <name>', 'the licence subject, who owns what is made with the token')
    .option('--days <number>', 'expires that many days from now (a fraction is fine)')
    .option('--exp <seconds>', 'expires at this time, in epoch seconds')
    .option('--json', 'print the token and its end as JSON')
    .addHelpText('after', '\nExample:\n  engram license sign --key keys/license-private.pem --sub my-app --days 365')
    .action(async (options: SignOptions) => {
      const { signWithKey } = await import('../commands/license.js')
      await signWithKey(options)
    })
}

function addModelCommands(program: Command): void {
  const model = program.command('model').summary('fetch an embedding model').description('Fetches embedding models.')
  model
    .command('pull')
    .summary('fetch an embedding model')
    .description(
      `Fetches a model into the model directory, checks its files, and puts it in place when all are right. Goes on where it was broken off.
A semantic embedder in one line: engram model pull Xenova/all-MiniLM-L6-v2 (23 MB on disk, some 150 MB of memory in use).`
    )
    .argument('[name]', 'as on the hub', 'Xenova/all-MiniLM-L6-v2')
    .option('--from <source>', 'base address of a hub, or a folder that holds the models; default: huggingface.co')
    .option('--dir <folder>', 'the model directory (SERVICE_MODEL_DIR); default: ./models')
    .addOption(new Option('--precision <name>', 'q8: a quarter of the size; fp32: full precision').choices(['q8', 'fp32']).default('q8'))
    .option('--sha256 <digest>', 'what the weights have to be, in hex')
    .option('--json', 'print what was fetched as JSON')
    .addHelpText(
      'after',
      `
Files are checked against --sha256 (the weights), a SHA256SUMS file beside them, or what the hub says of them.

Examples:
  engram model pull
  engram model pull Xenova/bge-small-en-v1.5 --precision fp32
  engram model pull --from /media/usb/models --dir /var/lib/engram/models`
    )
    .action(async (name: string, options: PullOptions) => {
      const { pullModel } = await import('../commands/model-pull.js')
      await pullModel(name, options)
    })
}

function addBackupCommands(program: Command): void {
  withService(program.command('backup'))
    .summary('back up the sessions of a licence subject, or the whole storage')
    .description(
      `Writes the sessions of the token's licence subject to a file, over HTTP. With --everything it writes every record and audit trail of
the storage that SERVICE_* variables name, beside a running service or without. A broken off backup goes on where it was.`
    )
    .argument('<file>', 'where to; it must not be there yet')
    .option('--everything', 'the whole storage, for its operator')
    .option('--subject <name...>', 'with --everything: these licence subjects; needed for Redis and MongoDB, which keep no names')
    .option('--json', 'print the counts as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  engram backup anna.backup\n  SERVICE_STATE_PERSIST=1 DATABASE_URL=sqlite:engram.db engram backup all.backup --everything`
    )
    .action(async (file: string, options: BackupOptions) => {
      const { backUp } = await import('../commands/backup.js')
      await backUp(file, options)
    })
  withService(program.command('restore'))
    .summary('restore what backup wrote')
    .description(
      `Restores a backup: sessions over HTTP, or a whole storage directly, as the file says. The file is checked before anything is written.
What is there already stays as it is, unless --replace is given for sessions; so a broken off restore is simply started again.`
    )
    .argument('<file>', 'what backup wrote')
    .option('--replace', 'sessions that are there are replaced')
    .option('--check', 'check the file, restore nothing')
    .option('--json', 'print the counts as JSON')
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('../commands/backup.js')
      await restore(file, options)
    })
}
