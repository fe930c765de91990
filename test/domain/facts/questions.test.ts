import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { ASKED_ALIKE, ASKED_APART } from './question-pairs.js'

for (const [rule, pairs] of Object.entries(ASKED_ALIKE)) {
  t.test(`questions that differ in ${rule} only ask the same, whichever comes first`, async (t) => {
    for (const [a, b] of pairs) t.same([factsDiffer(a, b), factsDiffer(b, a)], [null, null], `${a} | ${b}`)
  })
}

for (const [fact, pairs] of Object.entries(ASKED_APART)) {
  t.test(`texts that differ in ${fact} are told apart, whichever comes first`, async (t) => {
    for (const [a, b] of pairs) {
      t.not(factsDiffer(a, b), null, `${a} | ${b}`)
      t.same(factsDiffer(a, b), factsDiffer(b, a), `${b} | ${a}`)
    }
  })
}
