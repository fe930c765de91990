/** Routes that export and import whole sessions, and compare sessions by their answers. */
import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import { DomainError } from '../../domain/errors.js'
import { isObject } from '../../domain/json-object.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { RunFairlyFor } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { exportedText } from '../contract/documents.js'
import { AnsweredSessionId, Done, Embedding, optional, SessionId, SessionPath, TotalMemories } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'
import { toPieces } from '../plugins/large-answers.js'

/** Interface, Session control: `tolerance` of a verification. */
const TOLERANCE_DEFAULT = 1e-3

const StateDict = {
  type: 'object',
  description: 'Session state as the export returned it, with `format`, `version` and its own `checksum`.'
}

const ExportResponse = Type.Unsafe<Readable>({
  type: 'object',
  required: ['session_id', 'state_dict', 'checksum'],
  properties: {
    session_id: { type: 'string', description: 'Id of the session.' },
    state_dict: StateDict,
    checksum: { type: 'string', description: 'SHA-256, in hex, of the canonical JSON of `state_dict` without its checksum.' }
  }
})

/** Import creates a session, as create does: an invalid id is refused by its rules rather than answered as missing. */
const ImportPath = Type.Object({ session_id: SessionId })

// Every fault in the body is 400 and not 422, so the schema only documents it. Interface, Errors: 400.
const ImportBody = Type.Unknown({
  'x-null-is-a-value': true,
  type: 'object',
  required: ['state_dict'],
  properties: {
    state_dict: StateDict,
    checksum: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Checksum of the export. If given, it has to equal the one within `state_dict`, which is always checked.'
    }
  }
})

const ImportResponse = Type.Object({
  session_id: AnsweredSessionId,
  imported: Done,
  total_memories: TotalMemories,
  checksum: Type.String({ description: 'SHA-256, in hex, of what was imported, as an export of it has.' })
})

const VerifyBody = Type.Object(
  {
    test_embeddings: Type.Array(Embedding, {
      minItems: 1,
      maxItems: limits.TEST_EMBEDDINGS_MAX,
      description: 'Vectors for which both are asked how near they are to the state, and for their 10 best memories.'
    }),
    reference_session_id: optional({
      ...SessionId,
      description: 'Session to compare with. Without it and without `state_dict`: the export of the session itself, restored aside.'
    }),
    state_dict: Type.Optional(
      Type.Unknown({ anyOf: [StateDict, { type: 'null' }], description: 'Export to compare with, as the export returned it.' })
    ),
    tolerance: optional(
      Type.Number({ minimum: 0, default: TOLERANCE_DEFAULT, description: 'Largest deviation that still counts as consistent.' })
    )
  },
  { 'x-at-most-one': ['reference_session_id', 'state_dict'] }
)

const VerifyResponse = Type.Object({
  session_id: AnsweredSessionId,
  consistent: Type.Boolean({ description: 'Whether `max_deviation` is at most `tolerance`.' }),
  max_deviation: Type.Number({
    description:
      'Largest difference between two similarities to the state, or two scores of one memory, 0 to 2. A memory that only one of them finds counts with its whole score.'
  }),
  tolerance: Type.Number({ description: 'The tolerance of the request, or its default.' }),
  checked: Type.Integer({ description: 'Number of test embeddings that were compared.' })
})

const writeImported = createWriter(ImportResponse)
const readVerify = createReader(VerifyBody)
const writeVerified = createWriter(VerifyResponse)

interface TransferOptions {
  readonly askSession: AskSession
  readonly runFairlyFor: RunFairlyFor
  /** Limit for a body that holds an export: whatever is exported can be imported, even above the limit of other bodies. */
  readonly importLimitBytes: number
}

/** Adds the routes to export, import and verify. */
export function addTransferRoutes(app: Http, { askSession, runFairlyFor, importLimitBytes }: TransferOptions): void {
  app.get(
    '/v1/session/:session_id/export',
    {
      schema: {
        operationId: 'session_export',
        tags: ['control'],
        summary: 'Export the whole session as one value',
        params: SessionPath,
        response: { 200: ExportResponse }
      }
    },
    async (request, reply) => {
      const { session_id } = request.params
      const { document } = await askSession(request, session_id, { type: 'session.export' })
      return reply
        .type('application/json; charset=utf-8')
        .send(toPieces(exportedText(session_id, document, runFairlyFor(request.subject)), 0))
    }
  )

  app.post(
    '/v1/session/:session_id/import',
    {
      bodyLimit: importLimitBytes,
      config: { isExport: true },
      schema: {
        operationId: 'session_import',
        tags: ['control'],
        summary: 'Import an export, which replaces the whole session or makes it',
        params: ImportPath,
        body: ImportBody,
        response: { 200: ImportResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const reply = await askSession(request, session_id, { type: 'session.import', stateDict: toStateDict(request.body) })
      return writeImported({ sessionId: session_id, ...reply })
    }
  )

  app.post(
    '/v1/session/:session_id/verify',
    {
      bodyLimit: importLimitBytes,
      schema: {
        operationId: 'session_verify',
        tags: ['control'],
        summary: 'Check whether the session behaves like a reference; changes nothing',
        params: SessionPath,
        body: VerifyBody,
        response: { 200: VerifyResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const command = { type: 'session.verify', tolerance: TOLERANCE_DEFAULT, ...readVerify(request.body) } as const
      return writeVerified({ sessionId: session_id, ...(await askSession(request, session_id, command)) })
    }
  )
}

/** Returns the `state_dict` of `{state_dict}` or of a whole exported object, whose second checksum must match. */
function toStateDict(body: unknown): unknown {
  const { state_dict: stateDict, checksum } = toRecord(body)
  const own = toRecord(stateDict)['checksum']
  if (checksum != null && checksum !== own) throw new DomainError('malformed_payload', 'Malformed session export: its checksums differ')
  return stateDict
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
