/** `engram search`: prints the memories of a session that match a query. */
import { SEARCH_TOP_K_MAX } from '../../domain/limits.js'
import { requireCount, requireQuery, requireSessionId, requireUserId } from '../console/arguments.js'
import { createOutput } from '../console/output.js'
import { plainLine } from '../console/plain-text.js'
import { type ConnectionOptions, withConnection } from '../service/connection.js'

export interface SearchOptions extends ConnectionOptions {
  readonly top: string
  readonly user?: string
  readonly json?: true
}

/** Maximum characters of a memory on one line. */
const LINE_LENGTH = 200

export async function search(session: string, query: string, { top, user, json, ...connection }: SearchOptions): Promise<void> {
  requireSessionId('<session>', session)
  requireQuery('<query>', query)
  const topK = requireCount('--top', top, SEARCH_TOP_K_MAX)
  if (user !== undefined) requireUserId('--user', user)
  const filter = user === undefined ? {} : { filter: { user_id: user } }
  const found = await withConnection(connection, ({ engram }) => engram.session(session).search({ query, top_k: topK, ...filter }))
  const output = createOutput()
  if (json === true) {
    output.json(found)
    return
  }
  if (found.retrieval_error === true) output.note('The embedder was not available: only words were searched.')
  if (found.results.length === 0) output.note('Nothing found.')
  for (const { score, role, text, timestamp, user_id: userId } of found.results) {
    const when = `${new Date(timestamp * 1_000).toISOString().slice(0, 16).replace('T', ' ')}Z`
    const whose = userId === null ? role : `${role} ${userId}`
    output.line(`${output.paint('bold', score.toFixed(3))}  ${output.paint('dim', `${when}  ${whose}:`)} ${plainLine(text, LINE_LENGTH)}`)
  }
}
