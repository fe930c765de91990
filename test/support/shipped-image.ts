/** The image without an engine: the Dockerfile's steps in separate folders. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { buildImage, type Stage } from './dockerfile/dockerfile-run.js'
import { projectRoot } from './project-root.js'

/** The image's user `node`. */
const USER_ID = 1000
const BUILD_TOOLS = 'npm ci --no-audit --no-fund'
const STEP_MS_MAX = 600_000

export interface Shipped {
  /** The stage with the sources, the tools and the build results. */
  readonly build: Stage
  /** The last stage, which runs. */
  readonly image: Stage
}

/** Returns null when neither the cache nor the registry has the packages to install. */
export async function buildShipped(output: string): Promise<Shipped | null> {
  const context = projectRoot()
  try {
    const stages = await buildImage({ dockerfile: join(context, 'Dockerfile'), context, output, run })
    return { build: stageOf(stages, 'build'), image: stageOf(stages, '') }
  } catch (error) {
    const isAway = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test((error as { stderr?: string }).stderr ?? '')
    if (isAway && process.env['CI'] !== 'true') return null
    throw error
  }
}

/** Starts the image's command, as the image's user. The output can be read. */
export function startImage({ root, workdir, env, command, user }: Stage, own: Readonly<Record<string, string>>): ChildProcess {
  const [program = '', ...args] = command
  const isRoot = process.getuid?.() === 0
  return spawn(program, args, {
    cwd: join(root, workdir),
    env: { PATH: process.env['PATH'] ?? '', ...env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && user === 'node' && { uid: USER_ID, gid: USER_ID })
  })
}

async function run(command: string, folder: string): Promise<void> {
  if (command === BUILD_TOOLS) return symlink(join(projectRoot(), 'node_modules'), join(folder, 'node_modules'))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' }
  await promisify(execFile)('sh', ['-c', command], { cwd: folder, env, timeout: STEP_MS_MAX })
}

function stageOf(stages: ReadonlyMap<string, Stage>, name: string): Stage {
  const stage = stages.get(name)
  if (stage === undefined) throw new Error(`There is no stage ${name}`)
  return stage
}
