/** Tool that stores facts. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { Role, text } from '../../http/contract/schemas.js'
import { ask, isMissing, toFailure } from '../calls/failures.js'
import { CLOSED, SessionArgument, UserArgument } from './fields.js'
import { sessionPath, type ToolContext } from '../calls/service.js'
import { ADDS, defineTool } from './tool.js'

/** Maximum facts per call: as many as a model writes down with care. */
const TEXTS_MAX = 100

const DESCRIPTION = `Keep facts for later conversations. They are found again by meaning.
Use it when the user states something lasting (a name, a preference, a decision, a date, how something is done), or asks you to remember.
Do not use it for small talk, for secrets such as passwords, or for the message that you already gave to recall.
Write each fact as one sentence that makes sense on its own: with names, not "he" or "it"; with dates, not "tomorrow".
A fact that is already kept is not kept twice. A session that does not exist is created.
Example: {"texts": ["Anna is allergic to peanuts.", "Anna's flight to Lisbon leaves on 3 May 2027 at 9:00."]}`

const Input = Type.Object(
  {
    texts: Type.Array(text({ maxLength: limits.TEXT_LENGTH_MAX }), {
      minItems: 1,
      maxItems: TEXTS_MAX,
      description: 'The facts, one sentence each.'
    }),
    session_id: SessionArgument,
    role: Type.Optional({ ...Role, default: 'user', description: 'Who said it. Default: user.' }),
    user_id: UserArgument,
    importance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Importance from 0 to 1; higher values rank higher. Leave it out to have it judged by the text.'
      })
    ),
    expires_at: Type.Optional(Type.Number({ description: 'Time from which the facts are forgotten, in epoch seconds. Default: never.' }))
  },
  CLOSED
)

const Output = Type.Object({
  session_id: Type.String(),
  stored: Type.Integer({ description: 'Number of facts that are new.' }),
  updated: Type.Integer({ description: 'Number of facts that were already kept.' }),
  memories: Type.Array(Type.Object({ memory_id: Type.String(), memory_hash: Type.String() }), {
    description: 'Ids of the facts, in the order given.'
  })
})

export const remember = defineTool({
  name: 'remember',
  title: 'Remember facts',
  description: DESCRIPTION,
  hints: ADDS,
  input: Input,
  output: Output,
  async run({ texts, session_id, ...shared }, context) {
    const sessionId = session_id ?? context.session
    const request = {
      method: 'POST',
      path: sessionPath(sessionId, '/memories'),
      body: { memories: texts.map((text) => ({ text, ...shared })) }
    } as const
    type Answer = typeof Output.static
    try {
      return await ask<Answer>(context, request)
    } catch (error) {
      if (!isMissing(error)) throw error
      await makeSession(sessionId, context)
      return ask<Answer>(context, request)
    }
  }
})

/** Creates the session. When two calls do so at once, the second finds it existing. */
async function makeSession(sessionId: string, { call, signal }: ToolContext): Promise<void> {
  const answer = await call({ method: 'POST', path: '/v1/session/create', body: { session_id: sessionId } }, signal)
  if (answer.status !== 200 && answer.status !== 409) throw toFailure(answer)
}
