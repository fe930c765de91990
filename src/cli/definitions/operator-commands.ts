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
      `Verifies the audit trails of these licence subjects, or of all, in the storage that SERVICE_* variables name. Prints one line per trail:
the number of its entries, the first entry that is not as it was written, or that there is no trail. Redis and MongoDB keep no names of subjects: there,
a trail whose subject was not given is named by the SHA-256 of its subject, in base64url.`
    )
    .argument('[subjects...]', 'licence subjects; default: all')
    .option('--json', 'print a line of JSON per trail')
    .addHelpText('after', '\nExit code 1: a trail is broken, missing or unreadable, or none was found.')
    .action(async (subjects: readonly string[], options: VerifyAuditOptions) => {
      const { verifyAudit } = await import('../commands/verify-audit.js')
      await verifyAudit(subjects, options)
    })

  program
    .command('nats-init')
    .summary('make the NATS streams between nodes')
    .description('Makes the NATS streams that keep outbox messages between these nodes, as the user in NATS_URL, and exits.')
    .argument('<nodes...>', 'SERVICE_NODE_ID of each node; nodes that are not named no longer get outbox messages')
    .addHelpText('after', '\nExample:\n  NATS_URL=nats://init:password@host:4222 engram nats-init n1 n2 n3')
    .action(async (nodes: readonly string[]) => {
      const { makeOutboxStreams } = await import('../commands/nats-init.js')
      await makeOutboxStreams(nodes)
    })
}

function addLicenseCommands(program: Command): void {
  const license = program.command('license').summary('make keys and sign licences').description('Makes keys and signs licences with them.')
  license
    .command('keygen')
    .description('Writes a key pair: license-private.pem and license-public.pem. Existing files are never overwritten.')
    .requiredOption('--out <folder>', 'folder to write the keys to')
    .option('--json', 'print the paths as JSON')
    .action(async (options: { readonly out: string; readonly json?: true }) => {
      const { makeKeyPair } = await import('../commands/license.js')
      await makeKeyPair(options)
    })
  license
    .command('sign')
    .description('Prints a licence token. Without --days or --exp it never expires.')
    .requiredOption('--key <file>', 'private key, PEM or JWK')
    .requiredOption('--sub <name>', 'licence subject, which owns everything made with the token')
    .option('--days <number>', 'days until it expires (fractions are allowed)')
    .option('--exp <seconds>', 'time at which it expires, in epoch seconds')
    .option('--json', 'print the token and its expiry as JSON')
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
      `Fetches a model, checks its files, and puts it into the model directory once all are right. Continues an interrupted download.
A semantic embedder in one line: engram model pull Xenova/all-MiniLM-L6-v2 (23 MB on disk, some 150 MB of memory in use).`
    )
    .argument('[name]', 'name of the model on the hub', 'Xenova/all-MiniLM-L6-v2')
    .option('--from <source>', 'base address of a hub, or a folder with models; default: huggingface.co')
    .option('--dir <folder>', 'model directory (SERVICE_MODEL_DIR); default: ./models')
    .addOption(
      new Option('--precision <name>', 'precision of the weights; q8: a quarter of the size, fp32: full precision')
        .choices(['q8', 'fp32'])
        .default('q8')
    )
    .option('--sha256 <digest>', 'SHA-256 that the weights must have, in hex')
    .option('--json', 'print what was fetched as JSON')
    .addHelpText(
      'after',
      `
Files are checked against --sha256 (the weights), a SHA256SUMS file beside them, or the checksums of the hub.

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
      `Writes the sessions of the token's licence subject to a file, over HTTP. With --everything it writes all records and audit trails of
the storage that SERVICE_* variables name; the service may be running. To continue an interrupted backup, run the same command again.`
    )
    .argument('<file>', 'file to write; it must not exist yet')
    .option('--everything', 'back up the whole storage (for its operator)')
    .option('--subject <name...>', 'with --everything: licence subjects to back up; required for Redis and MongoDB, which keep no names')
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
    .summary('restore a backup')
    .description(
      `Restores a backup: sessions over HTTP, or a whole storage directly, depending on the file. The file is checked before anything is written.
What already exists is kept, except sessions with --replace. To continue an interrupted restore, run the same command again.`
    )
    .argument('<file>', 'file that engram backup wrote')
    .option('--replace', 'replace sessions that already exist')
    .option('--check', 'check the file only, restore nothing')
    .option('--json', 'print the counts as JSON')
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('../commands/backup.js')
      await restore(file, options)
    })
}
