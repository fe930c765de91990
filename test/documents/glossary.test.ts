import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { sourcePaths, ROOT as SOURCES } from '../source-files.js'
import { markdownFiles, ROOT } from './markdown-files.js'

const GLOSSARY = 'docs/glossary.md'

const files = [
  ...markdownFiles(),
  ...sourcePaths(['src', 'actors', 'machines', 'test', 'bench', 'examples']).map((path) => ({
    path,
    text: readFileSync(join(SOURCES, path), 'utf8')
  }))
].filter(({ path }) => path !== GLOSSARY && path !== relative(SOURCES, new URL(import.meta.url).pathname))

/** Lines of the tables: the word, what it is, and the words that must not stand for it. */
const entries = readFileSync(`${ROOT}${GLOSSARY}`, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Word|-)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
  .map(([, word = '', meaning = '', not = '']) => ({
    word,
    meaning,
    not: [...not.matchAll(/`([^`]+)`/g)].map(([, pattern = '']) => pattern)
  }))

t.test('glossary: every word has one line, and each table is in order', async (t) => {
  t.ok(entries.length > 40, `${entries.length} words`)
  t.equal(new Set(entries.map(({ word }) => word)).size, entries.length)
  for (const { word, meaning } of entries) t.match(meaning, /^\S.*\.$/, word)
  const tables = readFileSync(`${ROOT}${GLOSSARY}`, 'utf8').split(/^## /m).slice(1)
  for (const table of tables) {
    const words = [...table.matchAll(/^\| (?!Word|-)([^|]+?) \|/gm)].map(([, word = '']) => word)
    t.strictSame(words, words.toSorted(), table.slice(0, 20))
  }
})

t.test('glossary: every word is used', async (t) => {
  for (const { word } of entries) {
    const [first = '', ...rest] = word.split(' ')
    const pattern = new RegExp([first, ...rest].join('[ -]?'), 'i')
    t.ok(
      files.some(({ path, text }) => path.endsWith('.ts') && pattern.test(text)),
      word
    )
  }
})

t.test('glossary: no file uses another word for the same thing', async (t) => {
  for (const { word, not } of entries) {
    for (const pattern of not) {
      const synonym = new RegExp(`\\b(?:${pattern})\\b`, 'i')
      const found = files.flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => (synonym.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
      )
      t.strictSame(found, [], `${word}, not ${pattern}`)
    }
  }
})
