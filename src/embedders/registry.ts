/** Selects the embedder for new sessions and finds that of existing ones. */
import { DomainError } from '../domain/errors.js'
import { createSharedEntries, entryKey } from '../domain/fairness/shared-entries.js'
import type { Clock, Embedder, Embedders, Logger, Randomness } from '../ports.js'
import { createAttempts } from './attempts.js'
import { OWN_SUBJECT } from './batch-queue.js'
import { createCallHealth } from './call-health.js'
import { unavailable } from './cancellation.js'
import { createEmbedderCheck } from './embedder-check.js'
import { createEmbeddingCache } from './embedding-cache.js'
import { createHttpEmbedder } from './http.js'
import { createLexicalEmbedder } from './lexical.js'
import { createLocalModels } from './local-models.js'
import { parseModelName } from './model-name.js'
import { createModelPool } from './model-pool.js'
import type { OpenEmbedder } from './open-embedder.js'

type EmbedderMode = 'auto' | 'transformers' | 'http' | 'lexical'

export interface EmbeddersOptions {
  readonly mode: EmbedderMode
  /** Folder of local weights, and target of downloads. */
  readonly modelDir: string
  /** Required by mode `http`. In other modes it keeps existing sessions of the service working. */
  readonly http?: { readonly url: string; readonly apiKey?: string }
  /** Whether the default model may be downloaded from the hub. Other models are never downloaded. Default: true. */
  readonly isDownloadAllowed?: boolean
  readonly hubUrl?: string
  readonly clock: Clock
  readonly randomness: Randomness
  readonly logger: Logger
}

interface RunningEmbedders extends Embedders {
  /** Model of new sessions, as written into their `model_name`. */
  readonly defaultModelName: string
  /** Drops the cached vectors of a subject, or all. Must be called after an erasure. */
  forget(subject?: string): void
}

/** Default models. The local one is small (22 million weights, dimension 384) and the usual default for sentence embeddings. */
const DEFAULT_LOCAL_MODEL = 'Xenova/all-MiniLM-L6-v2'
const DEFAULT_HTTP_MODEL = 'text-embedding-3-small'

/** Models loaded at once. Each is a process of 150 to 200 MB before its weights (the tiny test model): four fit a 2 GB machine. */
const LOADED_MODELS_MAX = 4

/** Milliseconds for which a model that failed to load is not tried again, for any session. */
const FAILURE_TTL_MS = 30_000

/** Model names known to work at the service. Each subject tries each name once, since a shared cache would tell who asked before. */
const TRIED_MAX = 1_024

/** Valid model names at a service: one line of visible ASCII. Only sent in a JSON body. */
const HTTP_MODEL_NAME = /^[\x21-\x7e]{1,128}$/

/**
 * Creates the embedders of a process. `auto` tries the default model once (local files, then the hub) and falls back to the lexical
 * embedder. Other modes always start, and `check` reports what is missing. The form of a pinned name tells its kind (lexical, local files,
 * or service), so sessions find their model whatever the current mode. Throws `invalid_input` for mode `http` without a URL.
 */
export async function createEmbedders(options: EmbeddersOptions): Promise<RunningEmbedders> {
  const { mode, clock, logger } = options
  if (mode === 'http' && options.http === undefined) throw new DomainError('invalid_input', 'The http embedder needs a URL')
  const lexical = createLexicalEmbedder()
  const local = createLocalModels(options)
  const cache = createEmbeddingCache({ clock })
  const attempt = createAttempts({ clock, failureTtlMs: FAILURE_TTL_MS })
  const health = createCallHealth({ clock, probe: embedOwn })
  const tried = createSharedEntries<true>(TRIED_MAX)
  const pool = createModelPool({ open, attempt, loadedMax: LOADED_MODELS_MAX })
  const wished = mode === 'http' ? DEFAULT_HTTP_MODEL : DEFAULT_LOCAL_MODEL

  async function open(modelName: string): Promise<OpenEmbedder> {
    if (isLocalPin(modelName)) return local.open(modelName)
    if (options.http === undefined || !HTTP_MODEL_NAME.test(modelName)) throw unavailable('The embedding model is not available here')
    const { clock, randomness } = options
    return createHttpEmbedder({ ...options.http, modelName, clock, randomness })
  }

  /** Loads a model and returns its pinned name. */
  async function load(name: string, subject = OWN_SUBJECT): Promise<string> {
    if (name === lexical.modelName) return name
    const isRemote = mode === 'http' && !isLocalPin(name)
    const pinned = isRemote ? name : await attempt(`identify ${name}`, () => local.identify(name), subject)
    // The operator's own model is assumed to exist; a client's is tried before a session is pinned to it.
    if (isRemote && name !== wished) await tryOnce(name, subject)
    await pool.get(pinned)
    return pinned
  }

  async function tryOnce(name: string, subject: string): Promise<void> {
    const key = entryKey(subject, name)
    if (tried.get(key) === true) return
    await attempt(`try ${name}`, () => tryOut(name), subject)
    tried.keep(subject, key, true)
  }

  /** Outside the pool, so that an invented name evicts no model. */
  async function tryOut(name: string): Promise<void> {
    const embedder = await open(name)
    try {
      await embedder.embed(['test'], { dimension: 1 })
    } finally {
      await embedder.close()
    }
  }

  /** Loads the default model, downloading it first if allowed. */
  async function loadWished(): Promise<string> {
    const isFetchable = mode !== 'http' && options.isDownloadAllowed !== false
    if (isFetchable) await attempt(`fetch ${wished}`, () => local.fetch(wished))
    const pinned = await load(wished)
    pool.hold(pinned)
    return pinned
  }

  const started = await start(mode, lexical.modelName, loadWished, logger)
  const check = createEmbedderCheck({ clock, probe, isFailing: () => health.isFailing(started ?? wished) })

  async function defaultName(): Promise<string> {
    return started ?? loadWished()
  }

  /** Bypasses the cache: the model itself has to answer. */
  async function probe(): Promise<void> {
    const name = await defaultName()
    if (name === lexical.modelName) return
    await health.call({ modelName: name, subject: OWN_SUBJECT }, () => embedOwn(name))
  }
  async function embedOwn(name: string): Promise<unknown> {
    return (await pool.get(name)).embed(['test'], { dimension: 1 })
  }

  return {
    defaultModelName: started ?? wished,
    async resolve(requested, subject) {
      if (started === lexical.modelName) return started
      if (requested === undefined || requested === wished) return defaultName()
      if (mode === 'auto') return load(requested, subject).catch(() => defaultName())
      return load(requested, subject)
    },
    async get(modelName) {
      if (modelName === lexical.modelName) return lexical
      const { windowTokens, countTokens, promptTokens } = await pool.get(modelName)
      // Asks the pool each time, because the model may have been evicted.
      const embed: Embedder['embed'] = (texts, how) =>
        health.call({ modelName, subject: how.subject ?? OWN_SUBJECT }, async () => (await pool.get(modelName)).embed(texts, how))
      return cache.wrap({ modelName, windowTokens, countTokens, ...(promptTokens && { promptTokens }), embed })
    },
    check,
    forget: (subject) => cache.forget(subject),
    async close() {
      cache.close()
      await pool.close()
    }
  }
}

/** Starts the default model and logs the choice and its reason. Returns its name, or null to try again on demand. */
async function start(mode: EmbedderMode, lexicalName: string, loadWished: () => Promise<string>, logger: Logger): Promise<string | null> {
  if (mode === 'lexical') {
    logger.info({ model_name: lexicalName }, 'Embedder started')
    return lexicalName
  }
  try {
    const name = await loadWished()
    logger.info({ model_name: name }, 'Embedder started')
    return name
  } catch (error) {
    const reason = error instanceof DomainError ? error.message : 'The embedding model cannot be loaded'
    if (mode === 'auto') {
      logger.warn({ model_name: lexicalName, reason }, 'Embedder fell back to the lexical one')
      return lexicalName
    }
    logger.warn({ reason }, 'Embedder is not available yet')
    return null
  }
}

function isLocalPin(modelName: string): boolean {
  return parseModelName(modelName)?.pin !== undefined
}
