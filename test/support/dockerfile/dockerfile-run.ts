/**
 * Executes the steps of a Dockerfile in folders. Each stage is a folder that starts as a copy of its base stage, or empty for a base image.
 * Unlike a real engine there is no base image, isolation or layers. Unknown instructions are refused.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Copy, DockerfileParser, From, type Instruction, JSONInstruction, Workdir } from 'dockerfile-ast'

const execute = promisify(execFile)

/** Milliseconds for one RUN, such as an installation from the cache or a build on a busy machine. */
const RUN_MS_MAX = 600_000

export interface Stage {
  /** Folder that stands for the root of the file system. */
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string | null
  readonly command: readonly string[]
  readonly healthCommand: readonly string[]
}

export interface ImageBuild {
  readonly dockerfile: string
  /** Source folder of COPY. */
  readonly context: string
  /** Folder in which the stages' folders are created. */
  readonly output: string
  /** Executes a RUN. Default: with `sh`. */
  readonly run?: (command: string, folder: string) => Promise<void>
}

/** Builds all stages. Resolves to them by name; the last stage has no name and the empty key. */
export async function buildImage({ dockerfile, context, output, run = runInShell }: ImageBuild): Promise<ReadonlyMap<string, Stage>> {
  const instructions = DockerfileParser.parse(await readFile(dockerfile, 'utf8')).getInstructions()
  const ignored = await ignoredOf(context)
  const stages = new Map<string, Stage>()
  let stage: Stage | null = null
  for (const instruction of instructions) {
    if (instruction instanceof From) {
      const root = join(output, `stage-${String(stages.size)}`)
      const parent = stages.get(instruction.getImage() ?? '')
      if (parent === undefined) await mkdir(root, { recursive: true })
      else await copyInto(parent.root, root)
      stage = { ...(parent ?? EMPTY), root }
      stages.set(instruction.getBuildStage() ?? '', stage)
      continue
    }
    if (stage === null) throw new Error('An instruction before the first stage')
    const next: Stage = await step(stage, instruction, { stages, context, ignored, run })
    for (const [name, known] of stages) if (known === stage) stages.set(name, next)
    stage = next
  }
  return stages
}

const EMPTY: Omit<Stage, 'root'> = { workdir: '/', env: {}, user: null, command: [], healthCommand: [] }

interface Surroundings {
  readonly stages: ReadonlyMap<string, Stage>
  readonly context: string
  readonly ignored: (name: string) => boolean
  readonly run: (command: string, folder: string) => Promise<void>
}

async function step(stage: Stage, instruction: Instruction, { stages, context, ignored, run }: Surroundings): Promise<Stage> {
  const words = instruction.getArguments().map((argument) => argument.getValue())
  switch (instruction.getKeyword()) {
    case 'WORKDIR': {
      const workdir = (instruction instanceof Workdir ? instruction.getPath() : null) ?? '/'
      await mkdir(join(stage.root, workdir), { recursive: true })
      return { ...stage, workdir }
    }
    case 'COPY': {
      const flags = instruction instanceof Copy ? instruction.getFlags() : []
      const [from] = flags.filter((flag) => flag.getName() === 'from')
      const other = from === undefined ? undefined : stages.get(from.getValue() ?? '')
      const sources = words.slice(0, -1)
      for (const source of sources) {
        if (other === undefined && ignored(source)) throw new Error(`.dockerignore keeps ${source} out`)
        const target = join(stage.root, stage.workdir, words.at(-1) ?? '')
        const isFolder = words.at(-1)?.endsWith('/') === true || sources.length > 1
        const copy = other === undefined ? copyInto : linkInto
        await copy(join(other?.root ?? context, source), isFolder ? join(target, basename(source)) : target)
      }
      return stage
    }
    case 'RUN':
      await run(words.join(' '), join(stage.root, stage.workdir))
      return stage
    case 'ENV':
      return { ...stage, env: { ...stage.env, ...Object.fromEntries(words.map(pairOf)) } }
    case 'USER':
      return { ...stage, user: words[0] ?? null }
    case 'HEALTHCHECK':
      return { ...stage, healthCommand: commandOf(instruction) }
    case 'CMD':
      return { ...stage, command: listOf(instruction) }
    case 'LABEL':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return stage
    default:
      throw new Error(`The instruction ${instruction.getKeyword()} is not known here`)
  }
}

/** Returns the strings of an instruction's list. */
function listOf(instruction: Instruction): string[] {
  if (!(instruction instanceof JSONInstruction)) throw new Error(`${instruction.getKeyword()} without a list`)
  return instruction.getJSONStrings().map((text) => JSON.parse(text.getValue()) as string)
}

/** Returns the list after `HEALTHCHECK … CMD`. */
function commandOf(instruction: Instruction): string[] {
  const text = instruction.getArgumentsContent() ?? ''
  return JSON.parse(text.slice(text.indexOf('CMD [') + 'CMD '.length)) as string[]
}

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=')
  return [word.slice(0, at), word.slice(at + 1)]
}

/** Interprets this project's `.dockerignore`: everything is excluded except what a line with `!` names. */
async function ignoredOf(context: string): Promise<(name: string) => boolean> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n')
  const kept = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
  return (name) => !kept.has(name)
}

async function copyInto(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, verbatimSymlinks: true })
}

/** Hard-links from one stage to another: nobody changes an existing file, so both may share it. */
async function linkInto(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await execute('cp', ['-al', source, target])
}

async function runInShell(command: string, folder: string): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  // Uses the cache where possible.
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false', npm_config_loglevel: 'error' }
  await execute('sh', ['-c', command], { cwd: folder, env, timeout: RUN_MS_MAX })
}
