import type { ReplyOf } from '../../../src/domain/commands/commands.js'
import type { SearchMemories, SearchResult } from '../../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { retrieve } from '../../../src/retrieval/pipeline.js'
import type { Hit, RetrievalQuery } from '../../../src/retrieval/query.js'
import { isSelective, matchesFilter } from '../recall/filter.js'
import { sessionQuery } from '../recall/query.js'
import { toUnitVector } from '../record/embedding.js'
import { memoryVector } from '../record/memory-vector.js'
import type { SessionState } from '../record/state.js'
import { memoryView } from '../record/views.js'
import { embedded, readingOf, type Work } from '../record/work.js'

/** Returns the memories relevant to a query, best first. Read-only: not even access counts change. */
export function* searchMemories(work: Work, command: SearchMemories): Pieces<ReplyOf<SearchMemories>> {
  const { state } = work
  const { hits, stages } = yield* retrieve(
    state.corpus,
    yield* sessionQuery(work, {
      ...questionOf(work, command),
      limit: command.topK,
      ...(isSelective(command.filter) && { accept: (entry) => matchesFilter(state, entry, command.filter) })
    })
  )
  const results = hits.map((hit) => toResult(state, hit, command.explain))
  const isByWords = command.query !== undefined && embedded(work, command.query).isPending === true
  return { results, ...(isByWords && { retrievalError: true }), ...(command.explain && { stages }) }
}

function questionOf(work: Work, command: SearchMemories): Pick<RetrievalQuery, 'text' | 'reading' | 'vector'> {
  if (command.query !== undefined) {
    const query = embedded(work, command.query)
    return { text: command.query, reading: readingOf(work, command.query), ...(!query.isPending && { vector: memoryVector(query) }) }
  }
  return { vector: toUnitVector(command.embedding ?? [], work.state.head.settings.dimension, ['embedding']) }
}

function toResult(state: SessionState, hit: Hit, isExplained: boolean): SearchResult {
  const { score, components, supersededBy } = hit
  const view = memoryView(state, hit.entry)
  // The spread comes last: in V8, adding a field to an object made by a spread takes ten times as long and more.
  return isExplained ? { score, components: { ...components }, supersededBy, ...view } : { score, ...view }
}
