/** Routes across a caller's sessions: transfer, user partitions, consensus and trust. */
import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { TrustScore } from '../../domain/commands/network-commands.js'
import { USER_ID_LENGTH_MAX } from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { RunFairlyFor } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { serializedText } from '../contract/documents.js'
import { Embedding, optional, SessionId, text } from '../contract/schemas.js'
import type { AskNetwork, AskSession } from '../contract/resource-ask.js'
import { toPieces } from '../plugins/large-answers.js'
import { toJsonObject } from '../wire/answer-json.js'

/** Fields, Network. */
const MAX_WEIGHT_DEFAULT = 0.15

const TransferBody = Type.Object({
  source_session_id: { ...SessionId, description: 'Session whose state is read.' },
  target_session_id: { ...SessionId, description: 'Session that is moved.' },
  max_weight: optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: MAX_WEIGHT_DEFAULT,
      description: 'Share of the difference between the two states by which the target moves.'
    })
  )
})
const TransferResponse = Type.Object({
  source_session_id: Type.String({ description: 'Id of the session whose state was read.' }),
  target_session_id: Type.String({ description: 'Id of the session that was moved.' }),
  delta_norm: Type.Number({
    description:
      'Length of the vector by which the target moved, 0 to 2; 0 if the source has no input yet, both states are equal, or `max_weight` is 0.'
  }),
  applied_weight: Type.Number({ description: 'Share of the difference that was applied: `max_weight` of the request.' })
})

const SwitchBody = Type.Object({
  user_id: text({
    maxLength: USER_ID_LENGTH_MAX,
    description: 'User to activate. Sessions made from now on belong to the partition of this user.'
  })
})
const ActiveUser = Type.String({ description: 'User whose partition is active; `default` before the first switch.' })
const SwitchResponse = Type.Object({
  active_user: ActiveUser,
  previous_user: Type.String({ description: 'User whose partition was active before; the same one if nothing was switched.' })
})
const ActiveResponse = Type.Object({ active_user: ActiveUser })

const UserPath = Type.Object({ user_id: Type.String() })
const SerializeResponse = Type.Unsafe<Readable>({
  type: 'object',
  required: ['user_id', 'state', 'checksum'],
  properties: {
    user_id: { type: 'string', description: 'User of the partition.' },
    state: {
      type: 'object',
      description:
        'The partition: `format`, `version`, `user_id`, its own `checksum`, and `sessions`, which holds the `state_dict` of each session by id, ready for import.'
    },
    checksum: { type: 'string', description: 'SHA-256, in hex, of the canonical JSON of `state` without its checksum.' }
  }
})

const TrustScores = Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
  description: 'Trust in every session of the caller, by session id, 0 to 1: 0.5 until the first accepted proposal that it voted on.'
})
const ConsensusBody = Type.Object({
  proposer_session_id: { ...SessionId, description: 'Session that proposes. Its dimension and model are those of the vote.' },
  target_embedding: { ...Embedding, description: 'The proposed vector, of as many numbers as the proposer has dimensions.' }
})
const Vote = Type.Object(
  {
    session_id: Type.String({ description: 'Id of the session that voted.' }),
    similarity: Type.Number({ description: 'Cosine of its state to the proposed vector, -1 to 1; 0 before any input.' }),
    weight: Type.Number({ description: 'Trust in the session before this vote, 0 to 1.' })
  },
  { title: 'Vote' }
)
const ConsensusResponse = Type.Object({
  accepted: Type.Boolean({ description: 'Whether the approval reached 2/3. Only then does trust change.' }),
  approval: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Mean of (1 + similarity) / 2 over the votes, weighted by trust. Accepted from 2/3.'
  }),
  votes: Type.Array(Vote, { description: 'The votes, by session id. Sessions of other dimensions or models have none.' }),
  trust_scores: TrustScores
})
const TrustResponse = Type.Object({ trust_scores: TrustScores })

const readTransfer = createReader(TransferBody)
const writeTransfer = createWriter(TransferResponse)
const writeSwitch = createWriter(SwitchResponse)
const writeActive = createWriter(ActiveResponse)
const readConsensus = createReader(ConsensusBody)
const writeConsensus = createWriter(ConsensusResponse)
const writeTrust = createWriter(TrustResponse)

interface NetworkRouteOptions {
  readonly askNetwork: AskNetwork
  readonly askSession: AskSession
  readonly runFairlyFor: RunFairlyFor
}

/** Adds the routes of transfer, user partitions, consensus and trust. */
export function addNetworkRoutes(app: Http, { askNetwork, askSession, runFairlyFor }: NetworkRouteOptions): void {
  addTransferRoute(app, askSession)
  addUserRoutes(app, askNetwork)
  addSerializeRoute(app, { askNetwork, runFairlyFor })
  addConsensusRoutes(app, askNetwork)
}

function addTransferRoute(app: Http, askSession: AskSession): void {
  app.post(
    '/v1/network/transfer',
    {
      schema: {
        operationId: 'network_transfer',
        tags: ['network'],
        summary: 'Move a session towards the state of another',
        body: TransferBody,
        response: { 200: TransferResponse }
      }
    },
    async (request) => {
      const { sourceSessionId, targetSessionId, maxWeight = MAX_WEIGHT_DEFAULT } = readTransfer(request.body)
      const reply = await askSession(request, targetSessionId, { type: 'state.transfer', sourceSessionId, maxWeight })
      return writeTransfer({ sourceSessionId, targetSessionId, ...reply })
    }
  )
}

function addUserRoutes(app: Http, askNetwork: AskNetwork): void {
  app.post(
    '/v1/network/users/switch',
    {
      schema: {
        operationId: 'network_switch',
        tags: ['network'],
        summary: "Save the active user's partition, and activate another",
        body: SwitchBody,
        response: { 200: SwitchResponse }
      }
    },
    async (request) => {
      return writeSwitch(await askNetwork(request, { type: 'network.switch', userId: request.body.user_id }))
    }
  )

  app.get(
    '/v1/network/users/active',
    {
      schema: { operationId: 'network_active', tags: ['network'], summary: 'Read the active user', response: { 200: ActiveResponse } }
    },
    async (request) => {
      return writeActive(await askNetwork(request, { type: 'network.active' }))
    }
  )
}

function addSerializeRoute(app: Http, { askNetwork, runFairlyFor }: Pick<NetworkRouteOptions, 'askNetwork' | 'runFairlyFor'>): void {
  app.post(
    '/v1/network/users/:user_id/serialize',
    {
      schema: {
        operationId: 'network_serialize',
        tags: ['network'],
        summary: 'Export all sessions of a partition as one value',
        params: UserPath,
        response: { 200: SerializeResponse }
      }
    },
    async (request, reply) => {
      const { partition, weight } = await askNetwork(request, { type: 'network.serialize', userId: request.params.user_id })
      request.answerShares.holds(weight)
      return reply.type('application/json; charset=utf-8').send(toPieces(serializedText(partition, runFairlyFor(request.subject)), 0))
    }
  )
}

function addConsensusRoutes(app: Http, askNetwork: AskNetwork): void {
  app.post(
    '/v1/network/consensus',
    {
      schema: {
        operationId: 'network_consensus',
        tags: ['network'],
        summary: 'Let all sessions vote on a vector',
        body: ConsensusBody,
        response: { 200: ConsensusResponse }
      }
    },
    async (request) => {
      const { trustScores, ...decision } = await askNetwork(request, { type: 'network.consensus', ...readConsensus(request.body) })
      return writeConsensus({ ...decision, trustScores: byId(trustScores) })
    }
  )

  app.get(
    '/v1/network/consensus/trust',
    {
      schema: {
        operationId: 'network_trust',
        tags: ['network'],
        summary: 'Read the trust in every session',
        response: { 200: TrustResponse }
      }
    },
    async (request) => {
      const { trustScores } = await askNetwork(request, { type: 'network.trust' })
      return writeTrust({ trustScores: byId(trustScores) })
    }
  )
}

/** Nodes of earlier versions return trust by session id, and so do replies that they kept for retries. */
function byId(scores: readonly TrustScore[] | Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return isList(scores) ? toJsonObject(scores.map(({ sessionId, trust }) => [sessionId, trust])) : scores
}

function isList(scores: readonly TrustScore[] | Readonly<Record<string, number>>): scores is readonly TrustScore[] {
  return Array.isArray(scores)
}
