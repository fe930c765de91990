/** `engram cluster`: runs three nodes on this machine, with their own NATS server and database, until Ctrl-C. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processEnvironment } from '../../config.js'
import { createLocalProcesses } from '../../tools/local-processes.js'
import { startDatabase, startNats, type Surroundings } from '../../tools/local-servers.js'
import { EXIT, usageFailure } from '../console/failure.js'
import { makeNamedFolder } from '../console/named-file.js'

/** The names in `nats.conf`. */
const NODE_IDS = ['n1', 'n2', 'n3']
const FIRST_PORT = 8001
/** Located relative to this file, compiled or not. */
const MAIN = fileURLToPath(new URL(`../../main${extname(import.meta.url)}`, import.meta.url))
const LOOPBACK = '127.0.0.1'

const PASSWORD_BYTES = 24
const READY_MS_MAX = 60_000
const READY_POLL_MS = 100

export interface LocalNodesOptions {
  /** Port of the first node; the others use the next ones. 0 picks free ports. Default 8001. */
  readonly port?: string
  /** Folder for the database and outbox messages. Default: a temporary one, removed at the end. */
  readonly data?: string
}

interface Options {
  readonly firstPort: number
  /** Undefined: a temporary one. */
  readonly folder: string | undefined
}

interface LocalNode {
  readonly nodeId: string
  readonly url: string
}

function readOptions({ port, data }: LocalNodesOptions): Options {
  const firstPort = Number(port ?? FIRST_PORT)
  const portMax = 65_535 - NODE_IDS.length
  if (!Number.isInteger(firstPort) || firstPort < 0 || firstPort > portMax)
    throw usageFailure(`--port must be a whole number from 0 to ${portMax}.`)
  return { firstPort, folder: data === undefined ? undefined : resolve(data) }
}

function openFolder({ folder }: Options): string {
  if (folder !== undefined) makeNamedFolder(folder)
  const opened = folder ?? mkdtempSync(join(tmpdir(), 'engram-'))
  // PostgreSQL then runs as another user, who has to pass through to its own folder.
  if (process.getuid?.() === 0) chmodSync(opened, 0o711)
  return opened
}

async function startNodes(surroundings: Surroundings, { firstPort }: Options): Promise<readonly LocalNode[]> {
  if (firstPort !== 0) await Promise.all(NODE_IDS.map((_, index) => refuseTaken(firstPort + index)))
  const passwords = Object.fromEntries(NODE_IDS.map((nodeId) => [nodeId, `p${randomBytes(PASSWORD_BYTES).toString('hex')}`]))
  const natsUrlOf = await startNats(surroundings, passwords)
  const { title, settings } = await startDatabase(surroundings)
  process.stdout.write(`NATS and ${title} run; starting ${NODE_IDS.length} nodes …\n`)
  const node = async (nodeId: string, index: number): Promise<LocalNode> => {
    let url = ''
    await surroundings.processes.start({
      name: nodeId,
      command: process.execPath,
      args: [...process.execArgv, MAIN],
      env: {
        ...surroundings.env,
        ...settings,
        SERVICE_HOST: LOOPBACK,
        SERVICE_PORT: String(firstPort === 0 ? 0 : firstPort + index),
        SERVICE_NODE_ID: nodeId,
        NATS_URL: natsUrlOf(nodeId),
        SERVICE_ALLOW_ANONYMOUS: '1',
        // The line with the listening address is parsed here, and is logged at this level.
        SERVICE_LOG_LEVEL: 'info'
      },
      isReady: (line) => (url = listeningUrl(line) ?? url) !== '',
      endSignal: 'SIGTERM'
    })
    return { nodeId, url }
  }
  const nodes = await Promise.all(NODE_IDS.map(node))
  await Promise.all(nodes.map(untilReady))
  return nodes
}

/** Returns the URL from a node's "listening" line; null for any other line. */
function listeningUrl(line: string): string | null {
  const [, url] = /"url":"([^"]+)".*"msg":"listening"/.exec(line) ?? []
  return url ?? null
}

async function refuseTaken(port: number): Promise<void> {
  const probe = createServer().listen(port, LOOPBACK)
  await once(probe, 'listening').catch(() => {
    throw new Error(`Port ${port} is taken: --port 0 takes free ones.`)
  })
  probe.close()
}

async function untilReady({ nodeId, url }: LocalNode): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_MS_MAX; waitedMs += READY_POLL_MS) {
    const { ok } = await fetch(`${url}/v1/readyz`).catch(() => ({ ok: false }))
    if (ok) return
    await wait(READY_POLL_MS)
  }
  throw new Error(`${nodeId} did not become ready.`)
}

function invitation(nodes: readonly LocalNode[]): string {
  const [first, , last] = nodes
  return [
    ...nodes.map(({ nodeId, url }) => `Node ${nodeId}  ${url}`),
    '',
    'Anybody on this machine may call them: there is no licence, and the database has no password.',
    '',
    'Written through one node, read through another:',
    '',
    `curl -s ${first?.url ?? ''}/v1/run -H 'Content-Type: application/json' -d '{"session_id": "anna", "message": "My train to Lisbon leaves at nine."}'`,
    `curl -s '${last?.url ?? ''}/v1/state/context?session_id=anna'`,
    '',
    'Ctrl-C stops everything.'
  ].join('\n')
}

/** Runs until a signal, and sets the exit code of the process. Throws CommandFailure. */
export async function runLocalNodes(given: LocalNodesOptions): Promise<void> {
  const options = readOptions(given)
  const env = processEnvironment()
  const isNode = new Set(NODE_IDS)
  // The servers' output matters only if they do not start, and is shown then.
  const processes = createLocalProcesses((name, line) => {
    if (isNode.has(name)) process.stdout.write(`${name} ${line}\n`)
  })
  const folder = openFolder(options)
  const stopped = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(null))
  })
  const problem = await untilOver({ processes, folder, env }, options, stopped).catch((error: unknown) => sentenceOf(error))
  if (problem !== null) process.stderr.write(`${problem}\n`)
  process.stdout.write('Stopping …\n')
  await processes.stopAll()
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  process.exit(problem === null ? 0 : EXIT.failed)
}

/** Resolves to null when it was stopped, or to a sentence when a process ended by itself. */
async function untilOver(surroundings: Surroundings, options: Options, stopped: Promise<null>): Promise<string | null> {
  const nodes = await Promise.race([startNodes(surroundings, options), stopped])
  if (nodes === null) return null
  process.stdout.write(`\n${invitation(nodes)}\n\n`)
  return Promise.race([surroundings.processes.lost, stopped])
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The nodes could not start'
}
