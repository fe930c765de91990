/** Calls across all sessions of a subject: transfers, users' partitions, consensus. Also the erasure of a user. */
import type { CallOptions, Requests, Schemas } from './requests.js'

export function createNetwork({ api, repeatable, once }: Requests) {
  return {
    /** Moves one session's semantic state towards another's. */
    transfer: (body: Schemas['TransferRequest'], options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/network/transfer', { body, ...init })),
    /** Makes a user the active one; the sessions of the user before are put away. */
    switchUser: (user_id: string, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/network/users/switch', { body: { user_id }, ...init })),
    activeUser: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/network/users/active', init)),
    serializeUser: (user_id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/network/users/{user_id}/serialize', { params: { path: { user_id } }, ...init })),
    /** Lets every session vote on a vector. */
    propose: (body: Schemas['ConsensusRequest'], options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/network/consensus', { body, ...init })),
    trust: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/network/consensus/trust', init))
  }
}

/** Available only where the service runs with its compliance pack. */
export function createCompliance({ api, repeatable }: Requests) {
  return {
    /** Erases everything that was written under a user. A repeated call finds nothing. */
    eraseUser: (user_id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.DELETE('/v1/compliance/users/{user_id}/memory', { params: { path: { user_id } }, ...init }))
  }
}
