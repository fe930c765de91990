/** Creation, deletion and the sweep of a session. */
import type { ReplyOf } from '../../../src/domain/commands/commands.js'
import type { ImportSession, SweepSession } from '../../../src/domain/commands/control-commands.js'
import type { CreateSession, DeleteSession, RunTurn } from '../../../src/domain/commands/session-commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { DIMENSION_DEFAULT } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { PolicyVector, SessionSettings } from '../../../src/domain/session.js'
import type { Embedders } from '../../../src/ports.js'
import type { InitiateMeta } from '../../behaviour/behaviour.js'
import { refuseUnlessLeft } from '../record/backing.js'
import { toUnitVector } from '../record/embedding.js'
import { type ImportOptions, readImport } from '../record/imports.js'
import type { Work } from '../record/work.js'
import { forgetExpired } from '../semantic-state/forget.js'

interface Models {
  readonly embedders: Embedders
}

/** Settings of a session that its first run makes. */
export async function defaultSettings({ embedders }: Models, _: RunTurn, { now }: InitiateMeta): Promise<SessionSettings> {
  return {
    dimension: DIMENSION_DEFAULT,
    modelName: await embedders.resolve(undefined),
    useCortex: false,
    enableTopicSwitch: true,
    templateEmbedding: null,
    policyVectors: [],
    createdAt: now
  }
}

/** Settings of a session that is made on its own. */
export async function givenSettings(
  { embedders }: Models,
  command: CreateSession,
  { address, now }: InitiateMeta
): Promise<SessionSettings> {
  const { dimension, useCortex, enableTopicSwitch, templateEmbedding, policyVectors } = command
  return {
    dimension,
    useCortex,
    enableTopicSwitch,
    templateEmbedding: templateEmbedding === undefined ? null : toUnitVector(templateEmbedding, dimension, ['template_embedding']),
    policyVectors: policyVectors.map(({ embedding, weight, promote }, at): PolicyVector => ({
      embedding: toUnitVector(embedding, dimension, ['policy_vectors', at, 'embedding']),
      weight,
      promote
    })),
    modelName: await embedders.resolve(command.modelName, address.subject),
    createdAt: now
  }
}

/** Settings of a session that an import makes. */
export async function importedSettings(
  options: Models & ImportOptions,
  command: ImportSession,
  { address: { subject }, room }: InitiateMeta
): Promise<SessionSettings> {
  const { document, weight } = await readImport(options, subject, command)
  const { settings } = document.head
  // Before the session is created: a refused import leaves nothing.
  room.admit(weight)
  // An export of an embedding model that this service does not offer cannot be restored here.
  if ((await options.embedders.resolve(settings.modelName, subject)) === settings.modelName) return settings
  throw new DomainError('malformed_payload', 'Malformed session export: it comes from another embedding model')
}

export function* sweepSession(work: Work): Pieces<ReplyOf<SweepSession>> {
  yield* forgetExpired(work)
  return { swept: true }
}

export function deleted({ state, prepared }: Work, { isLeft }: DeleteSession): ReplyOf<DeleteSession> {
  if (isLeft === true) refuseUnlessLeft(state)
  const joined = state.ties.memberships.find((membership) => !prepared.ended.includes(membership))
  if (joined !== undefined) throw new DomainError('busy', 'The session has joined a cluster while it was being deleted')
  return { deleted: true }
}

export function created({ state, isFresh }: Work, _: CreateSession): ReplyOf<CreateSession> {
  if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
  return { modelName: state.head.settings.modelName }
}
