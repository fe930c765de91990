/** The network between sessions of one caller. */
import { CHECKSUM, type Reference, SESSION_MISSING } from './entry.js'

const TRUST = { trust_scores: { colours: 0.55 } }

export const NETWORK: Reference = {
  'POST /v1/network/transfer': {
    description:
      'Moves the target by `max_weight` times the difference of the two normalised states. The shift fades with the later turns of ' +
      'the target.',
    refusals: { 404: SESSION_MISSING, 409: 'The target is full by bytes.' },
    request: { name: 'TransferRequest', example: { source_session_id: 'anna', target_session_id: 'ben', max_weight: 0.15 } },
    answer: {
      name: 'TransferResponse',
      example: { source_session_id: 'anna', target_session_id: 'ben', delta_norm: 0.21, applied_weight: 0.15 }
    }
  },
  'POST /v1/network/users/switch': {
    description:
      'Puts the sessions of the active partition away and activates that of the user. Sessions that are made from now on are of that ' +
      'one. The first is `default`.',
    refusals: { 409: 'The caller has as many partitions as one can have, or its network is full by bytes.' },
    request: { name: 'SwitchUserRequest', example: { user_id: 'maria' } },
    answer: { name: 'SwitchUserResponse', example: { active_user: 'maria', previous_user: 'default' } }
  },
  'GET /v1/network/users/active': {
    description: 'The user whose partition is active.',
    answer: { name: 'ActiveUser', example: { active_user: 'maria' } }
  },
  'POST /v1/network/users/{user_id}/serialize': {
    description: 'The exports of all sessions of a partition in one value, each of which can be imported. Streamed.',
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
      'Every session of the caller votes on a vector by its similarity, weighted by the trust in it. A proposal that is accepted raises the trust in those ' +
      'that agreed and lowers that in the others. The vector has as many numbers as the sessions have dimensions; sessions of other dimensions or models do not vote, and one that has heard nothing yet votes with a similarity of 0.',
    refusals: { 404: SESSION_MISSING, 409: 'The caller has more sessions than can vote, or its network is full by bytes.' },
    request: { name: 'ConsensusRequest', example: { proposer_session_id: 'colours', target_embedding: [0.6, 0, 0.8] } },
    answer: {
      name: 'ConsensusResponse',
      example: { accepted: true, approval: 0.95, votes: [{ session_id: 'colours', similarity: 0.9, weight: 0.5 }], ...TRUST }
    }
  },
  'GET /v1/network/consensus/trust': {
    description: 'The trust in every session that has voted. It begins at 0.5 and stays between 0 and 1.',
    answer: { name: 'TrustResponse', example: TRUST }
  }
}
