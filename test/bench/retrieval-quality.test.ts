/** Floors for how well changed facts are found, below what was measured when they were written: 38, 39 and 37 of 40, 20 of 20. */
import t from 'tap'
import { CHANGED_FACTS } from '../../bench/quality/retrieval/changed-facts.js'
import { supersessionFigures } from '../../bench/quality/retrieval/supersession.js'
import { toldFigures } from '../../bench/quality/retrieval/told-changes.js'
import { THINGS_OF_A_KIND } from '../../bench/quality/retrieval/things-of-a-kind.js'

t.test('of forty facts that changed a year ago the newer ones come first, and both are shown', async (t) => {
  const [figures] = await supersessionFigures(1_750_000_000, [400])
  t.equal(CHANGED_FACTS.length, 40)
  t.ok((figures?.newerFirst ?? 0) >= 37, `${figures?.newerFirst} newer first`)
  t.ok((figures?.bothShown ?? 0) >= 38, `${figures?.bothShown} with both among the first three`)
  t.ok((figures?.explained ?? 0) >= 36, `${figures?.explained} explained`)
  t.equal(THINGS_OF_A_KIND.length, 20)
  t.ok((figures?.askedFirst ?? 0) >= 19, `of two things of a kind ${figures?.askedFirst} times the one that is asked for`)
})

/** Measured when they were written: 15 and 21 of 30 changes, 9 and 10 of 10 corrections; of what changes something else none. */
t.test('changes that are told in other words and corrections come first, and what changes something else does not', async (t) => {
  for (const { language, group, pairs, newerFirst } of await toldFigures(1_750_000_000)) {
    if (/^(?:other|near) /.test(group)) t.ok(newerFirst <= 1, `${language}, ${group}: ${newerFirst} of ${pairs}`)
    else t.ok(newerFirst >= (group === 'changes' ? 14 : 9), `${language}, ${group}: ${newerFirst} of ${pairs}`)
  }
})
