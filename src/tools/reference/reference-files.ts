/**
 * Generates the reference of the HTTP interface as Markdown, one page per tag, from the schema and from calls that a service answers during
 * the generation.
 */
import { anchorOf } from '../site/pages.js'
import { type Media, type OpenApiDocument, type Operation, type Parameter, operationsOf } from './document.js'
import { type Field, fieldsOf } from './fields.js'
import { record, type RecordedCall, type Recording } from './recorder.js'
import { shortened } from './shortening.js'
import { tellStory } from './story.js'

const JSON_TYPE = 'application/json'

/** Statuses that every route may return; described once, on the first page. */
const COMMON = new Set(['401', '402', '403', '413', '415', '421', '422', '429', '500', '503'])

/** Returns the texts of `docs/reference`, by file name. */
export async function referenceFiles(): Promise<Map<string, string>> {
  const recording = await record(tellStory)
  const { document } = recording
  const pages = document.tags.map(({ name, description }): [string, string] => [`${name}.md`, pageOf(recording, name, description)])
  return new Map([['README.md', indexOf(document)], ...pages])
}

function indexOf(document: OpenApiDocument): string {
  const operations = [...operationsOf(document)]
  const rows = document.tags.flatMap(({ name, description }) => [
    `## [${titleOf(name)}](${name}.md)`,
    '',
    description,
    '',
    '| Operation | Does |',
    '|---|---|',
    ...operations
      .filter(([, { tags }]) => tags.includes(name))
      .map(([operation, { summary }]) => `| [\`${operation}\`](${name}.md#${anchorOf(operation)}) | ${cell(summary)} |`),
    ''
  ])
  return `${[...INDEX, ...rows].join('\n').trimEnd()}\n`
}

const INDEX = [
  '# HTTP API',
  '',
  'Written by `npm run reference` from the schema of the service. The examples are calls that a service answered while the pages were',
  'written, one after the other in one story, with the lexical embedder; a test writes them again and compares. Long texts and lists are',
  'cut, and say so; ids and checksums stand for those that were made. The schema itself is at `/openapi.json`, and pages to try it with are at `/docs` and `/redoc` of every service.',
  '',
  'Bodies are JSON. Every route except `/v1/health` and `/metrics` needs a licence token, as `Authorization: Bearer …` or `X-API-Key: …`. Ids',
  'of sessions are 1 to 128 letters, digits, `_` and `-`; times are epoch seconds. Fields that a request has beyond those named are ignored.',
  '',
  '## Errors',
  '',
  'Every error has a body with `detail`: a sentence, or for 422 a list of `{loc, msg, type}`. These can occur besides those that an operation names:',
  '',
  '| Status | When |',
  '|---|---|',
  '| 401, 402 | the licence token is missing or invalid; it has expired |',
  '| 403, 421 | called from a page of another site, while no licences are required; the request names a host that is not the service’s own |',
  '| 413, 415 | the body is too large; it is not JSON, or is compressed |',
  '| 422 | a field is missing, out of range, or of another type |',
  '| 429 | too many requests from one address; `Retry-After: 60` |',
  '| 503 | the service is busy, or cannot reach something that it needs; `Retry-After: 1`. Nothing was done, unless `detail` says that the outcome is unknown |',
  '| 500 | an internal error of the service |',
  ''
]

function pageOf({ document, calls }: Recording, tag: string, description: string): string {
  const operations = [...operationsOf(document)].filter(([, { tags }]) => tags.includes(tag))
  const parts = operations.map(([name, operation]) => operationOf(document, name, operation, calls.get(name)))
  return `${[`# ${titleOf(tag)}`, '', description, '', ...parts.flat()].join('\n').trimEnd()}\n`
}

function operationOf(document: OpenApiDocument, name: string, operation: Operation, call: RecordedCall | undefined): string[] {
  const [status = '200', answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  const own = Object.entries(operation.responses).filter(([code]) => !code.startsWith('2') && !COMMON.has(code))
  return [
    `## ${name}`,
    '',
    `**${operation.summary}.** ${operation.description}`,
    '',
    ...parametersOf(operation.parameters ?? []),
    ...bodyOf(document, 'Body', operation.requestBody?.content[JSON_TYPE]),
    ...bodyOf(document, `Answer ${status}`, answer?.content?.[JSON_TYPE]),
    ...table(
      ['Refusal', 'When'],
      own.map(([code, { description = '' }]) => [code, cell(description)])
    ),
    ...exampleOf(name, call)
  ]
}

function parametersOf(parameters: readonly Parameter[]): string[] {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => {
    const [field] = fieldsOf(EMPTY, { properties: { value: schema }, required: required === true ? ['value'] : [] })
    const rule = [field?.presence, field?.range].filter((one) => one !== undefined && one !== '').join('; ')
    return [`\`${name}\``, place, field?.type ?? '', rule, cell(description)]
  })
  return table(['Parameter', 'In', 'Type', 'Default, range', 'Meaning'], rows)
}

const EMPTY: OpenApiDocument = { tags: [], paths: {}, components: { schemas: {} } }

function bodyOf(document: OpenApiDocument, title: string, media: Media | undefined): string[] {
  if (media === undefined) return []
  const rows = fieldsOf(document, media.schema).map(({ name, type, presence, range, description }: Field) => [
    `\`${name}\``,
    type,
    (title === 'Body' ? [presence, range] : [range]).filter((one) => one !== '').join('; '),
    cell(description)
  ])
  return table([title, 'Type', title === 'Body' ? 'Default, range' : 'Range', 'Meaning'], rows)
}

function exampleOf(name: string, call: RecordedCall | undefined): string[] {
  if (call === undefined || call.answer === null) return []
  const line = `\`${name.split(' ')[0] ?? ''} ${call.url}\``
  const block = (value: unknown) => ['```json', JSON.stringify(shortened(value), null, 2), '```', '']
  const sent = call.body === undefined ? [`${line} is answered with ${String(call.status)}:`] : [`${line} with`]
  const body = call.body === undefined ? [] : [...block(call.body), `is answered with ${String(call.status)}:`, '']
  return [...sent, '', ...body, ...block(call.answer)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  // Empty columns are omitted.
  const used = head.map((_, column) => rows.some((row) => row[column] !== ''))
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => used[column]).join(' | ')} |`
  return [line(head), line(head.map(() => '---')).replaceAll(' ', ''), ...rows.map(line), '']
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function titleOf(tag: string): string {
  return tag.slice(0, 1).toUpperCase() + tag.slice(1)
}
