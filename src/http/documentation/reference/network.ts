/** The network between sessions of one caller. */
import { CHECKSUM, type Reference, SESSION_MISSING } from './entry.js'

const TRUST = { trust_scores: { colours: 0.55 } }

export const NETWORK: Reference = {
  'POST /v1/network/transfer': {
    description:
      'Moves the state of the target session towards that of the source, by `max_weight` times the difference of the two normalised states. ' +
      'The shift fades with the later turns of the target.',
    refusals: { 404: SESSION_MISSING, 409: 'The target session is full by bytes.' },
    request: { name: 'TransferRequest', example: { source_session_id: 'anna', target_session_id: 'ben', max_weight: 0.15 } },
    answer: {
      name: 'TransferResponse',
      example: { source_session_id: 'anna', target_session_id: 'ben', delta_norm: 0.21, applied_weight: 0.15 }
    }
  },
  'POST /v1/network/users/switch': {
    description:
      'Saves the sessions of the active partition, and activates the partition of the user. Sessions that are made from now on belong to ' +
      'it. The first partition is `default`.',
    refusals: { 409: 'The caller has the maximum number of partitions, or its network is full by bytes.' },
    request: { name: 'SwitchUserRequest', example: { user_id: 'maria' } },
    answer: { name: 'SwitchUserResponse', example: { active_user: 'maria', previous_user: 'default' } }
  },
  'GET /v1/network/users/active': {
    description: 'The user whose partition is active.',
    answer: { name: 'ActiveUser', example: { active_user: 'maria' } }
  },
  'POST /v1/network/users/{user_id}/serialize': {
    description: 'The exports of all sessions of a partition in one value. Each can be imported. The answer is streamed.',
    refusals: { 404: 'The partition was never active.', 409: 'The partition is too large for one answer: export its sessions one by one.' },
    answer: {
      name: 'UserPartition',
      example: {
        user_id: 'maria',
        state: { format: 'engram-partition', version: 1, user_id: 'maria', sessions: {}, checksum: CHECKSUM },
        checksum: CHECKSUM
      }
    }
  },
  'POST /v1/network/consensus': {
    description:
      'Every session of the caller votes on a vector by its similarity to it, weighted by the trust in the session. An accepted proposal raises the trust in the sessions ' +
      'that agreed, and lowers it in the others. The vector has as many numbers as the sessions have dimensions. Sessions of other dimensions or models do not vote. A session without any input votes with a similarity of 0.',
    refusals: { 404: SESSION_MISSING, 409: 'The caller has more sessions than may vote, or its network is full by bytes.' },
    request: { name: 'ConsensusRequest', example: { proposer_session_id: 'colours', target_embedding: [0.6, 0, 0.8] } },
    answer: {
      name: 'ConsensusResponse',
      example: { accepted: true, approval: 0.95, votes: [{ session_id: 'colours', similarity: 0.9, weight: 0.5 }], ...TRUST }
    }
  },
  'GET /v1/network/consensus/trust': {
    description: 'The trust in every session of the caller, from 0 to 1. It begins at 0.5.',
    answer: { name: 'TrustResponse', example: TRUST }
  }
}
