/** Extensions beyond the interface: routes that edit or delete one memory. */
import { Type } from '@sinclair/typebox'
import { boundedWeight } from '../../domain/counting.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import { AnsweredSessionId, Done, Importance, Memory, MemoryHash, optional } from '../contract/schemas.js'
import { given } from '../contract/given.js'
import type { AskSession } from '../contract/resource-ask.js'
import { MemoryPath } from './sessions.js'

const EditBody = Type.Object(
  {
    importance: optional(Importance),
    pinned: optional(
      Type.Boolean({ description: 'True keeps the memory: it no longer expires, and a context block shows it first. False unpins it.' })
    )
  },
  { 'x-at-least-one': ['importance', 'pinned'] }
)

const DeleteResponse = Type.Object({ session_id: AnsweredSessionId, memory_hash: MemoryHash, deleted: Done })

const readEdit = createReader(EditBody)
const writeEdited = createWriter(Memory)
const writeDeleted = createWriter(DeleteResponse)

/** Adds the routes to edit and delete memories. */
export function addMemoryEditRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  app.patch(
    '/v1/session/:session_id/memories/:memory_hash',
    {
      schema: {
        operationId: 'memory',
        tags: ['extensions'],
        summary: 'Change the importance of a memory, and pin or unpin it',
        params: MemoryPath,
        body: EditBody,
        response: { 200: Memory }
      }
    },
    async (request) => {
      const { session_id, memory_hash } = request.params
      const { importance, pinned } = readEdit(request.body)
      const edit = given({ importance: importance === undefined ? undefined : boundedWeight(importance), pinned })
      return writeEdited(await askSession(request, session_id, { type: 'memory.edit', hash: memory_hash, ...edit }))
    }
  )

  app.delete(
    '/v1/session/:session_id/memories/:memory_hash',
    {
      schema: {
        operationId: 'memory',
        tags: ['extensions'],
        summary: 'Delete a memory from every index, list and derived vector',
        params: MemoryPath,
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { session_id, memory_hash } = request.params
      return writeDeleted({
        sessionId: session_id,
        ...(await askSession(request, session_id, { type: 'memory.delete', hash: memory_hash }))
      })
    }
  )
}
