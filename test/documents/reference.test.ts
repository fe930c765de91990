import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { fieldsOf } from '../../src/tools/reference/fields.js'
import { referenceFiles } from '../../src/tools/reference/reference-files.js'
import { shortened } from '../../src/tools/reference/shortening.js'

const FOLDER = new URL('../../docs/reference/', import.meta.url)

t.test('docs/reference: every page, as a service answers now; `npm run reference` writes them', async (t) => {
  const files = await referenceFiles()
  t.strictSame(readdirSync(FOLDER).sort(), [...files.keys()].sort())
  for (const [name, text] of files) t.equal(readFileSync(new URL(name, FOLDER), 'utf8'), text, name)
})

t.test('docs/reference: every field, parameter and operation says what it means', async (t) => {
  for (const [name, text] of await referenceFiles()) {
    const silent = text.split('\n').filter((line) => /^\| `.*\|\s*\|$/.test(line))
    t.strictSame(silent, [], name)
  }
})

t.test('fields of a schema: with their type, default, range, and those inside them', async (t) => {
  const document = { tags: [], paths: {}, components: { schemas: { Role: { type: 'string', enum: ['user', 'model'] } } } }
  const schema = {
    required: ['text'],
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 2000, description: 'What was said.' },
      share: { anyOf: [{ type: 'number', minimum: 0, maximum: 1, default: 0.5 }, { type: 'null' }] },
      threshold: { type: 'number', exclusiveMinimum: 0, maximum: 1, description: 'What has to be exceeded.' },
      parts: { type: 'array', items: { type: 'object', properties: { role: { $ref: '#/components/schemas/Role' } } } }
    }
  }
  t.strictSame(fieldsOf(document, schema), [
    { name: 'text', type: 'string', presence: 'required', range: '1 to 2,000 characters', description: 'What was said.' },
    { name: 'share', type: 'number or null', presence: '0.5', range: '0 to 1', description: '' },
    { name: 'threshold', type: 'number', presence: '', range: 'above 0, up to 1', description: 'What has to be exceeded.' },
    { name: 'parts', type: 'list of object', presence: '', range: '', description: '' },
    { name: 'parts[].role', type: '`"user"`, `"model"`', presence: '', range: '', description: '' }
  ])
})

t.test('recorded JSON: cut where it is long, with a word for what is missing', async (t) => {
  t.strictSame(shortened({ vector: Array.from({ length: 20 }, () => 0.123456), text: 'a'.repeat(500), few: [1, 2, 3, 4] }), {
    vector: [0.1235, 0.1235, 0.1235, '… 17 more'],
    text: `${'a'.repeat(400)}… (100 more characters)`,
    few: [1, 2, 3, 4]
  })
})
