/** Models in the model directory, and the download of the operator's model into it. */
import type { Clock, Logger } from '../ports.js'
import { unavailable } from './cancellation.js'
import { downloadModel, HUB_URL } from './model-download.js'
import { digestModelFiles, locateModelFiles, type ModelFiles } from './model-files.js'
import { formatModelName, type ModelName, parseModelName } from './model-name.js'
import type { OpenEmbedder } from './open-embedder.js'

interface LocalModelsOptions {
  readonly modelDir: string
  readonly clock: Clock
  readonly logger: Logger
  /** Base address of the hub. Default: `https://huggingface.co`. */
  readonly hubUrl?: string
}

interface LocalModels {
  /**
   * Pinned name of the model that a client or a session calls `name`. Throws `embedder_unavailable` when the name is invalid, its files are
   * missing, or they are not those that it is pinned to.
   */
  identify(name: string): Promise<string>
  /** Loads the model of a pinned name from `identify`. Throws `embedder_unavailable`. */
  open(pinnedName: string): Promise<OpenEmbedder>
  /**
   * Downloads the operator's model into the model directory unless it is there. Never call it with a client's name: weights are code of a
   * kind, and disks are finite. Throws `embedder_unavailable`.
   */
  fetch(name: string): Promise<void>
}

/** Milliseconds to the hub's first answer: an automatic start without a network should take about two seconds. */
const CONTACT_DEADLINE_MS = 1_500

/** Milliseconds to the last byte: 23 MB at 6 Mbit/s. The longest delay of an automatic start. */
const DOWNLOAD_DEADLINE_MS = 30_000

/** Files are identified once per name, for the life of the process: nobody changes weights under a running service. */
export function createLocalModels(options: LocalModelsOptions): LocalModels {
  const { modelDir, clock, logger } = options
  const identified = new Map<string, ModelFiles>()

  async function identify(name: string): Promise<string> {
    const parsed = readName(name)
    if (identified.has(name)) return name
    const files = await locateModelFiles(modelDir, parsed.id, parsed.pin?.precision)
    if (files === null) throw unavailable('The embedding model is not installed here')
    const digest = await digestModelFiles(files).catch(() => {
      throw unavailable('The embedding model cannot be read')
    })
    const pinned = formatModelName(parsed.id, { precision: files.precision, digest })
    if (parsed.pin !== undefined && pinned !== name) throw unavailable('The embedding model installed here is another version')
    identified.set(pinned, files)
    return pinned
  }

  return {
    identify,
    async open(pinnedName) {
      await identify(pinnedName)
      const files = identified.get(pinnedName)
      if (files === undefined) throw unavailable('The embedding model is not pinned to its files')
      // Imported on demand: the package and its native library take 0.3 s, and lexical mode does not need them.
      const { createTransformersEmbedder } = await import('./transformers.js').catch(() => {
        throw unavailable('The model runtime does not work on this machine')
      })
      return createTransformersEmbedder({ modelName: pinnedName, files, clock, logger })
    },
    async fetch(name) {
      const { id } = readName(name)
      if ((await locateModelFiles(modelDir, id)) !== null) return
      await downloadModel({
        modelDir,
        id,
        hubUrl: options.hubUrl ?? HUB_URL,
        clock,
        contactDeadlineMs: CONTACT_DEADLINE_MS,
        downloadDeadlineMs: DOWNLOAD_DEADLINE_MS
      }).catch(async () => {
        // Another process may have installed it meanwhile.
        const files = await locateModelFiles(modelDir, id)
        if (files === null) throw unavailable('The embedding model is not installed here and cannot be downloaded')
      })
    }
  }
}

function readName(name: string): ModelName {
  const parsed = parseModelName(name)
  if (parsed === null) throw unavailable('There is no embedding model of that name')
  return parsed
}
