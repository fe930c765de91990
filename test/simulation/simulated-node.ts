/** A node, composed as in the service, on simulated ports. */
import { createActors } from '../../src/composition/actors.js'
import { readConfig } from '../../src/config.js'
import { isDomainError } from '../../src/domain/errors.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { createLexicalEmbedder } from '../../src/embedders/lexical.js'
import type { Logger, NodeBus, ActorStorage, Clock } from '../../src/ports.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { Story } from './story.js'

/** The simulated ports of a process. */
export interface Outside {
  readonly storage: ActorStorage
  readonly bus: NodeBus
  readonly clock: Clock
}

export interface NodeOptions {
  readonly process: SimulatedProcess
  readonly outside: Outside
  readonly story: Story
  /** Called with what must not happen on any node. */
  readonly failed: (what: string) => void
}

export type SimulatedNode = ReturnType<typeof createNodeOf>

const MIB = 1024 * 1024
const AMPLE = { heap: 512 * MIB, total: 1024 * MIB }

/** Few actors in memory and short idle times, so that actors are passivated as often as in months of operation. */
const CONFIG = readConfig({
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_MAX_SESSIONS: '4',
  SERVICE_SESSION_IDLE_TTL_S: '10',
  SERVICE_SESSION_SWEEP_S: '5'
})

/** Milliseconds that an embedding takes. */
const EMBEDDING_MS = 3

/** Cache of vectors by dimension and text, shared by all simulations: computing them would take longer than all the rest. */
const vectors = new Map<string, Float32Array>()

/** Entries at which the cache is cleared. */
const VECTORS_MAX = 20_000

/** Creates a node without starting it. `ended` is called when the node wants its process to end. */
export function createNodeOf({ process, outside, story, failed }: NodeOptions, ended: () => void) {
  const { clock, storage, bus } = outside
  const lexical = createLexicalEmbedder()
  const embedder: typeof lexical = {
    ...lexical,
    async embed(texts, { dimension }) {
      await new Promise<void>((resolve) => clock.after(EMBEDDING_MS, resolve))
      return texts.map((text) => vectorOf(text, dimension).slice())
    }
  }
  return createActors(
    CONFIG,
    {
      clock,
      storage,
      ids: process.ids,
      nodeBus: bus,
      nodeId: process.node,
      logger: loggerOf(process, story, failed),
      tracer: { isEnabled: false, emit: () => undefined },
      allowances: { actors: AMPLE, work: AMPLE },
      metrics: { count: () => undefined, showPending: () => undefined },
      recorder: { forget: () => undefined },
      tickets: { redeemHash: () => null },
      telemetry: {},
      watch: { during: (_command, _input, work) => work() },
      embedders: {
        defaultModelName: lexical.modelName,
        resolve: async () => lexical.modelName,
        get: async () => embedder,
        check: async () => undefined,
        forget: () => undefined,
        close: async () => undefined
      }
    },
    { failed: ended }
  )
}

function vectorOf(text: string, dimension: number): Float32Array {
  const name = `${String(dimension)} ${text}`
  const known = vectors.get(name)
  if (known !== undefined) return known
  const vector = lexicalVector(text, dimension)
  if (vectors.size >= VECTORS_MAX) vectors.clear()
  vectors.set(name, vector)
  return vector
}

/** Logged errors that faults cause: another process with the same name, and a start without a storage. */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set(['Another process runs as a node of the same name', 'The node failed'])

function loggerOf(process: SimulatedProcess, story: Story, failed: (what: string) => void): Logger {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (_fields, message) => story.tell(process.name, message),
    error(fields, message) {
      story.tell(process.name, message)
      const error = (fields as { readonly err?: unknown }).err
      if (EXPECTED_ERRORS.has(message) && (error === undefined || isDomainError(error))) return
      failed(`${process.name}: ${message}${error instanceof Error ? ` (${error.stack ?? error.message})` : ''}`)
    }
  }
}
