/** Routes of the session as a resource: create, delete, and read one memory. */
import { Type } from '@sinclair/typebox'
import type { Ids } from '../../ports.js'
import { createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import { Done, AnsweredSessionId, Memory, optional, SessionId, SessionPath } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'
import { SessionSettings, toSettings } from './session-settings.js'

const CreateBody = Type.Object({ session_id: optional(SessionId), ...SessionSettings.properties })

const CreateResponse = Type.Object({ session_id: AnsweredSessionId, created: Done })
const DeleteResponse = Type.Object({ session_id: AnsweredSessionId, deleted: Done })
/** Path of one memory of a session. */
export const MemoryPath = Type.Object({ session_id: Type.String(), memory_hash: Type.String() })

const writeMemory = createWriter(Memory)

/** Adds the routes to create and delete a session and to read one memory. */
export function addSessionRoutes(app: Http, { askSession, ids }: { askSession: AskSession; ids: Ids }): void {
  app.post(
    '/v1/session/create',
    {
      schema: {
        operationId: 'session_create',
        tags: ['sessions'],
        summary: 'Make a session',
        body: CreateBody,
        response: { 200: CreateResponse }
      }
    },
    async (request) => {
      const { body } = request
      const sessionId = body.session_id ?? ids.uuid()
      await askSession(request, sessionId, { type: 'session.create', ...toSettings(body) })
      return { session_id: sessionId, created: true as const }
    }
  )

  app.delete(
    '/v1/session/:session_id',
    {
      schema: {
        operationId: 'session_delete',
        tags: ['sessions'],
        summary: 'Delete a session',
        params: SessionPath,
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      await askSession(request, session_id, { type: 'session.delete' })
      return { session_id, deleted: true as const }
    }
  )

  app.get(
    '/v1/session/:session_id/memories/:memory_hash',
    {
      schema: {
        operationId: 'memory',
        tags: ['sessions'],
        summary: 'Read one memory in full',
        params: MemoryPath,
        response: { 200: Memory }
      }
    },
    async (request) => {
      const { session_id, memory_hash } = request.params
      return writeMemory(await askSession(request, session_id, { type: 'session.memory', hash: memory_hash }))
    }
  )
}
