/** Tools that list, create and delete sessions. */
import { Type } from '@sinclair/typebox'
import { SessionId } from '../../http/contract/schemas.js'
import { ask } from '../calls/failures.js'
import { CLOSED } from './fields.js'
import { queryOf, sessionPath } from '../calls/service.js'
import { ADDS, defineTool, ERASES, READS } from './tool.js'

/** Sessions per page, for a model to read. */
const PAGE_MAX = 100
const PAGE_DEFAULT = 50

const LIST_DESCRIPTION = `List all sessions by id, with the number of memories and the time of the last use.
Use it when the user asks which conversations or projects are kept, or when a session was not found.
For the next page, pass "next_cursor" as "cursor". It is null on the last page.
Example: {}`

const CREATE_DESCRIPTION = `Create a session: a separate memory for one conversation, project or person.
Rarely needed, because remember and recall create the session that they name. Use it to get a new id.
Fails if a session of that id exists.
Example: {"session_id": "trip-to-lisbon"}`

const DELETE_DESCRIPTION = `Delete a session with all its memories, for good. It cannot be undone.
Use it only when the user asks for the whole session to be deleted; confirm before the call. To forget a single fact use forget.
Example: {"session_id": "trip-to-lisbon"}`

const Session = Type.Object({
  session_id: Type.String(),
  state: Type.String({ description: 'active: in memory; stored: only in storage.' }),
  model_name: Type.String(),
  total_memories: Type.Integer(),
  last_active_at: Type.Number({ description: 'Time of the last use, in epoch seconds.' })
})

export interface SessionPage {
  readonly sessions: readonly (typeof Session.static)[]
  /** Id of the last session if there are more, else null. */
  readonly next: string | null
}

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: LIST_DESCRIPTION,
  hints: READS,
  input: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Sessions per page.' })),
      cursor: Type.Optional({ ...SessionId, description: '`next_cursor` of the previous page.' })
    },
    CLOSED
  ),
  output: Type.Object({ sessions: Type.Array(Session), next_cursor: Type.Union([Type.String(), Type.Null()]) }),
  async run({ limit = PAGE_DEFAULT, cursor }, context) {
    const { sessions, next } = await ask<SessionPage>(context, { method: 'GET', path: `/v1/sessions${queryOf({ limit, after: cursor })}` })
    return { sessions: [...sessions], next_cursor: next }
  }
})

export const createSession = defineTool({
  name: 'create_session',
  title: 'Make a session',
  description: CREATE_DESCRIPTION,
  hints: { ...ADDS, idempotentHint: false },
  input: Type.Object(
    {
      session_id: Type.Optional({
        ...SessionId,
        description: 'Id of the new session: letters, digits, _ and -. Leave it out to get a generated one.'
      }),
      use_cortex: Type.Optional(
        Type.Boolean({ default: false, description: 'True for a session that covers many subjects and gets broad questions.' })
      )
    },
    CLOSED
  ),
  output: Type.Object({ session_id: Type.String(), created: Type.Boolean() }),
  run: (given, context) => ask(context, { method: 'POST', path: '/v1/session/create', body: given })
})

export const deleteSession = defineTool({
  name: 'delete_session',
  title: 'Delete a session',
  description: DELETE_DESCRIPTION,
  hints: ERASES,
  input: Type.Object({ session_id: { ...SessionId, description: 'The session to delete; there is no default.' } }, CLOSED),
  output: Type.Object({ session_id: Type.String(), deleted: Type.Boolean() }),
  run: ({ session_id }, context) => ask(context, { method: 'DELETE', path: sessionPath(session_id) })
})
