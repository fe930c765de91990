import fc from 'fast-check'
import t from 'tap'
import {
  type DomainQuestion,
  FILTERED_SHARE_MIN,
  filteredShare,
  isClosedLevel,
  judgeDomain,
  judgeUnchecked
} from '../../../src/domain/similarity/isolation.js'
import type { IsolationLevel } from '../../../src/domain/session.js'

const EAST = Float32Array.of(1, 0)
const NORTH = Float32Array.of(0, 1)
/** Vector with a cosine of 0.6 to the east and 0.8 to the north. */
const BETWEEN = Float32Array.of(0.6, 0.8)
const LEVELS: IsolationLevel[] = ['OPEN', 'FILTER', 'QUARANTINE', 'LOCKDOWN']

const question = (own: Partial<DomainQuestion>): DomainQuestion => ({
  vector: EAST,
  scale: (cosine) => cosine,
  level: 'FILTER',
  threshold: 0.7,
  anchors: [],
  allowlist: [],
  exclusions: [],
  ...own
})
const ask = (own: Partial<DomainQuestion>) => judgeDomain(question(own))

t.test('an input without any domain is on it at every level but LOCKDOWN', async (t) => {
  for (const level of LEVELS) t.same(ask({ level }), { isOffDomain: level === 'LOCKDOWN', isExcluded: false, similarity: null }, level)
})

t.test('anchors come before the allowlist, but under LOCKDOWN the allowlist comes first', async (t) => {
  for (const level of LEVELS) {
    const answer = ask({ level, anchors: [EAST], allowlist: [NORTH] })
    t.equal(answer.isOffDomain, level === 'LOCKDOWN', level)
    t.equal(answer.similarity, level === 'LOCKDOWN' ? 0 : 1, level)
  }
  t.equal(ask({ level: 'LOCKDOWN', anchors: [EAST] }).isOffDomain, false, 'no allowlist: the anchors')
  t.equal(ask({ allowlist: [NORTH] }).isOffDomain, true, 'no anchors: the allowlist')
})

t.test('the nearest of several anchors decides, at the threshold inclusively', async (t) => {
  const anchors = [NORTH, BETWEEN]
  t.equal(ask({ anchors, threshold: 0.61 }).isOffDomain, true)
  t.equal(ask({ anchors, threshold: 0.6 }).isOffDomain, false)
})

t.test('an exclusion that is near enough outweighs every domain', async (t) => {
  t.match(ask({ anchors: [EAST], exclusions: [EAST] }), { isOffDomain: true, isExcluded: true, similarity: 1 })
  t.match(ask({ anchors: [EAST], exclusions: [BETWEEN] }), { isOffDomain: false, isExcluded: false })
  t.match(ask({ exclusions: [EAST] }), { isOffDomain: true, isExcluded: true, similarity: null })
})

t.test('a text without any feature is neither excluded nor on the domain', async (t) => {
  t.match(ask({ vector: new Float32Array(2), anchors: [EAST], exclusions: [EAST] }), {
    isOffDomain: true,
    isExcluded: false,
    similarity: 0
  })
})

t.test('an input without a vector is off-domain wherever an anchor, an allowlist or an exclusion could have made it so', async (t) => {
  const unchecked = (own: Partial<DomainQuestion>) => judgeUnchecked(question(own))
  for (const level of LEVELS) t.same(unchecked({ level }), ask({ level }), `${level}, with nothing to check`)
  for (const list of ['anchors', 'allowlist', 'exclusions'] as const)
    t.same(unchecked({ [list]: [EAST] }), { isOffDomain: true, isExcluded: false, similarity: null }, list)
  t.ok(unchecked({ anchors: [EAST], allowlist: [EAST], exclusions: [EAST, NORTH] }).isOffDomain)
})

t.test('only what was looked at goes to a model under QUARANTINE and LOCKDOWN', async (t) => {
  t.same(LEVELS.filter(isClosedLevel), ['QUARANTINE', 'LOCKDOWN'])
})

t.test('the share of an excluded input is the least there is, however near the domain', async (t) => {
  t.equal(filteredShare({ isOffDomain: true, isExcluded: true, similarity: 0.69 }, 0.7), FILTERED_SHARE_MIN)
})

t.test('the share of any input lies between the least and 1 and grows with its similarity', async () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(cosine, cosine, cosine, (a, b, threshold) => {
      const share = (similarity: number) => filteredShare({ isOffDomain: true, isExcluded: false, similarity }, threshold)
      const [less, more] = [share(Math.min(a, b)), share(Math.max(a, b))]
      return less >= FILTERED_SHARE_MIN && more <= 1 && less <= more
    })
  )
})
