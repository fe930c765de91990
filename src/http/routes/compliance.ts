/** The compliance pack: mounted only with SERVICE_COMPLIANCE=1, and never part of the schema. */
import { Type } from '@sinclair/typebox'
import type { EraseUserEverywhere } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { UserId } from '../contract/schemas.js'

const UserPath = Type.Object({ user_id: UserId })

const ErasureResponse = Type.Object({
  user_id: Type.String(),
  erased_memories: Type.Integer(),
  sessions_affected: Type.Integer()
})

/** Adds the route that erases everything written under a user, in all sessions of the caller. */
export function addComplianceRoutes(app: Http, { eraseUser }: { eraseUser: EraseUserEverywhere }): void {
  app.delete(
    '/v1/compliance/users/:user_id/memory',
    {
      schema: {
        operationId: 'compliance_user_memory',
        // Interface, Versioning: the compliance routes are absent from the published schema.
        hide: true,
        params: UserPath,
        response: { 200: ErasureResponse }
      }
    },
    async (request) => {
      const { user_id } = request.params
      const { erasedMemories, sessionsAffected } = await eraseUser(request.subject, user_id, { requestId: request.id })
      return { user_id, erased_memories: erasedMemories, sessions_affected: sessionsAffected }
    }
  )
}
