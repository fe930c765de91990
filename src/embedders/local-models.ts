/** Models below the model directory, and the one that may be downloaded into it. */
import { DomainError } from '../domain/errors.js'
import type { Clock, Logger } from '../ports.js'
import { downloadModel, HUB_URL } from './model-download.js'
import { digestModelFiles, locateModelFiles, type ModelFiles } from './model-files.js'
import { formatModelName, type ModelName, parseModelName } from './model-name.js'
import type { OpenEmbedder } from './open-embedder.js'

export interface LocalModelsOptions {
  readonly modelDir: string
  readonly clock: Clock
  readonly logger: Logger
  /** Base address of the hub. Default: `https://huggingface.co`. */
  readonly hubUrl?: string
}

export interface LocalModels {
  /**
   * The pinned name of what a client or a session calls `name`. Throws `embedder_unavailable` when the name is no model's name,
   * its files are not there, or they are not the ones it is pinned to.
   */
  identify(name: string): Promise<string>
  /** Loads the model of a name that `identify` gave. Throws `embedder_unavailable`. */
  open(pinnedName: string): Promise<OpenEmbedder>
  /**
   * Sees that the operator's model is in the model directory, downloading it when it is not. Never called with a client's name:
   * weights are code of a kind, and disks are finite. Throws `embedder_unavailable`.
   */
  fetch(name: string): Promise<void>
}

/** Until the hub's first answer: an auto start without a network is to take about two seconds. */
const CONTACT_DEADLINE_MS = 1_500

/** Until the last byte: 23 MB at 6 Mbit/s. An auto start waits this long at most. */
const DOWNLOAD_DEADLINE_MS = 30_000

/** Files are identified once for each name and stay so until the process ends: nobody changes weights under a running service. */
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
      // Loaded on demand: the package takes 0.3 s and its native library, which a service in lexical mode has no use for.
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
        // Another process may have put it there meanwhile.
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

function unavailable(message: string): DomainError {
  return new DomainError('embedder_unavailable', message)
}
