import { readFileSync } from 'node:fs'
import t from 'tap'
import { markdownFiles, ROOT } from './markdown-files.js'

/** A block that says which file it is from. */
const SNIPPET = /<!-- needs the rest of (\S+) -->\n```\w+\n([\s\S]*?)```/g

const snippets = markdownFiles().flatMap(({ path, text }) =>
  [...text.matchAll(SNIPPET)].map(([, file = '', code = '']) => ({ path, file, code }))
)

t.test('documents: every snippet that names its file stands in it', async (t) => {
  t.ok(snippets.length > 4, `${String(snippets.length)} snippets`)
  for (const { path, file, code } of snippets) t.ok(readFileSync(`${ROOT}${file}`, 'utf8').includes(code), `${path}: ${code}`)
})
