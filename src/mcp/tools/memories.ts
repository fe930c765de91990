/** Tools that list and forget memories. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { text } from '../../http/contract/schemas.js'
import { ask, CallFailure } from '../calls/failures.js'
import { CLOSED, FILTERS, MaxTextChars, MEMORY, type ServiceMemory, SessionArgument, toShown } from './fields.js'
import { queryOf, sessionPath } from '../calls/service.js'
import { defineTool, ERASES, READS } from './tool.js'

/** Memories per page, for a model to read. */
const PAGE_MAX = 100
const PAGE_DEFAULT = 20

/** A SHA-256 in hex, truncated to 32 characters. */
const HASH_PATTERN = '^[0-9a-f]{32}$'

export interface MemoryPage {
  readonly memories: readonly ServiceMemory[]
  /** Id of the last memory if there are more, else null. */
  readonly next: string | null
}

const LIST_DESCRIPTION = `List the memories of a session, oldest first, page by page.
Use it when the user asks what you know, or to look through everything. To find something in particular, search is faster.
For the next page, pass "next_cursor" as "cursor". It is null on the last page.
Example: {"limit": 20, "role": "user"}`

const FORGET_DESCRIPTION = `Forget one memory for good: it is removed from every index, list and derived state. It cannot be restored.
Use it when the user asks you to forget something, or corrects a fact: forget the old one, then remember the new one.
Call search or list_memories first for its "memory_hash", and make sure that it is the memory that is meant.
Example: {"memory_hash": "9f86d081884c7d659a2feaa0c55ad015"}`

const USER_DESCRIPTION = `Erase everything that was ever stored under a person's "user_id", in all sessions. It cannot be undone.
Use it only when that person, or someone who may speak for them, has explicitly asked for the erasure; confirm before the call.
To forget a single fact use forget.
Example: {"user_id": "anna"}`

export const listMemories = defineTool({
  name: 'list_memories',
  title: 'List memories',
  description: LIST_DESCRIPTION,
  hints: READS,
  input: Type.Object(
    {
      session_id: SessionArgument,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: PAGE_MAX,
          default: PAGE_DEFAULT,
          description: 'Memories per page; fewer where texts are long.'
        })
      ),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: '`next_cursor` of the previous page.' })),
      ...FILTERS,
      max_text_chars: MaxTextChars
    },
    CLOSED
  ),
  output: Type.Object({
    session_id: Type.String(),
    memories: Type.Array(Type.Object(MEMORY)),
    next_cursor: Type.Union([Type.String(), Type.Null()])
  }),
  async run({ session_id, limit = PAGE_DEFAULT, cursor, max_text_chars, ...filter }, context) {
    const sessionId = session_id ?? context.session
    const path = sessionPath(sessionId, `/memories${queryOf({ limit, after: cursor, ...filter })}`)
    const { memories, next } = await ask<MemoryPage>(context, { method: 'GET', path })
    const shown = toShown(memories, max_text_chars)
    const isCut = shown.length < memories.length
    return { session_id: sessionId, memories: shown, next_cursor: isCut ? (memories[shown.length - 1]?.memory_id ?? null) : next }
  }
})

export const forget = defineTool({
  name: 'forget',
  title: 'Forget a memory',
  description: FORGET_DESCRIPTION,
  hints: ERASES,
  input: Type.Object(
    {
      memory_hash: Type.String({ pattern: HASH_PATTERN, description: 'Hash of the memory, from search or list_memories.' }),
      session_id: SessionArgument
    },
    CLOSED
  ),
  output: Type.Object({ session_id: Type.String(), memory_hash: Type.String(), deleted: Type.Boolean() }),
  run: ({ memory_hash, session_id }, context) =>
    ask(context, { method: 'DELETE', path: sessionPath(session_id ?? context.session, `/memories/${memory_hash}`) })
})

const UNNAMEABLE =
  'A person called "." or ".." cannot be erased by this tool, and nothing was erased. Tell the user that the operator of the service can do it.'

/** Offered only where the service runs with its compliance pack. */
export const forgetUser = defineTool({
  name: 'forget_user',
  title: 'Erase a person',
  description: USER_DESCRIPTION,
  hints: ERASES,
  input: Type.Object(
    { user_id: text({ maxLength: limits.USER_ID_LENGTH_MAX, description: 'The person, as given to remember or recall.' }) },
    CLOSED
  ),
  output: Type.Object({ user_id: Type.String(), erased_memories: Type.Integer(), sessions_affected: Type.Integer() }),
  async run({ user_id }, context) {
    // However they are written, a URL takes them for steps of its path.
    if (/^\.{1,2}$/.test(user_id)) throw new CallFailure(400, UNNAMEABLE)
    return ask(context, { method: 'DELETE', path: `/v1/compliance/users/${encodeURIComponent(user_id)}/memory` })
  }
})
