/** How well changed facts are found, as floors below what was measured when they were written: 39, 40 and 38 of 40. */
import t from 'tap'
import { CHANGED_FACTS } from '../../bench/quality/retrieval/changed-facts.js'
import { supersessionFigures } from '../../bench/quality/retrieval/supersession.js'

t.test('of forty facts that changed a year ago the newer ones come first, and both are shown', async (t) => {
  const [figures] = await supersessionFigures(1_750_000_000, [400])
  t.equal(CHANGED_FACTS.length, 40)
  t.ok((figures?.newerFirst ?? 0) >= 38, `${figures?.newerFirst} newer first`)
  t.ok((figures?.bothShown ?? 0) >= 39, `${figures?.bothShown} with both among the first three`)
  t.ok((figures?.explained ?? 0) >= 36, `${figures?.explained} explained`)
})
