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

const LIST_DESCRIPTION = `List the sessions there are, by id, with how many memories each holds and when it was last used.
Use it when the user asks which conversations or projects are kept, or when a session was not found.
"next_cursor" that is not null goes into "cursor" of the next call.
Example: {}`

const CREATE_DESCRIPTION = `Make a session: a memory of its own for one conversation, project or person.
Rarely needed, as remember and recall make the session that they name. Use it to have a new id made for you.
Fails where a session of that id exists.
Example: {"session_id": "trip-to-lisbon"}`

const DELETE_DESCRIPTION = `Delete a session with all its memories, for good. It cannot be undone.
Use it only when the user asks for the whole session to be deleted; confirm before the call. To forget a single fact use forget.
Example: {"session_id": "trip-to-lisbon"}`

const Session = Type.Object({
  session_id: Type.String(),
  state: Type.String({ description: 'active: in memory; stored: in storage alone.' }),
  model_name: Type.String(),
  total_memories: Type.Integer(),
  last_active_at: Type.Number({ description: 'Epoch seconds.' })
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
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Sessions of a page.' })),
      cursor: Type.Optional({ ...SessionId, description: '`next_cursor` of the page before.' })
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
      session_id: Type.Optional({ ...SessionId, description: 'Letters, digits, _ and -. Leave it out to have one made.' }),
      use_cortex: Type.Optional(
        Type.Boolean({ default: false, description: 'True for a session with many subjects, about which broad questions are asked.' })
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
  input: Type.Object({ session_id: { ...SessionId, description: 'The session to delete; never taken for granted.' } }, CLOSED),
  output: Type.Object({ session_id: Type.String(), deleted: Type.Boolean() }),
  run: ({ session_id }, context) => ask(context, { method: 'DELETE', path: sessionPath(session_id) })
})
