/** Completes the document generated from the routes' schemas: descriptions, examples, specific refusals, and names of models. */
import { CHAT_PREFIX } from '../../contract/chat-errors.js'
import { isBodyOptional } from '../../contract/optional-body.js'
import type { Exchanged, OperationReference } from './entry.js'
import { createModels, type Models } from './models.js'
import { CHAT_PROBLEM, PROBLEM } from './problems.js'
import { PARAMETERS, REFERENCE } from './reference.js'

interface Media {
  schema?: object
  example?: unknown
}

interface Answer {
  description?: string
  content?: Record<string, Media>
}

interface Operation {
  operationId?: string
  description?: string
  parameters?: { name?: string; description?: string; example?: unknown }[]
  requestBody?: { required?: boolean; content?: Record<string, Media> }
  responses?: Record<string, Answer>
}

interface Document {
  paths?: object
  components?: { schemas?: object }
}

const JSON_TYPE = 'application/json'

/** Throws unless the operations of the document are exactly those in the reference. */
export function completeDocument<Completed extends Document>(document: Completed): Completed {
  const schemas = { ...document.components?.schemas } as Record<string, object>
  const models = createModels(schemas)
  const left = new Set(Object.keys(REFERENCE))
  for (const [path, item] of Object.entries((document.paths ?? {}) as Record<string, Record<string, Operation>>)) {
    const isShared = Object.keys(item).length > 1
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method.toUpperCase()} ${path}`
      const reference = REFERENCE[name]
      if (reference === undefined) throw new Error(`The reference has no ${name}`)
      left.delete(name)
      // Interface, Versioning: operation ids of routes with several methods are suffixed with the method.
      if (isShared) operation.operationId = `${operation.operationId}_${method}`
      completeOperation(operation, { reference, models, problem: path.startsWith(CHAT_PREFIX) ? CHAT_PROBLEM : PROBLEM })
    }
  }
  if (left.size > 0) throw new Error(`The reference describes what no route answers: ${[...left].join(', ')}`)
  return { ...document, components: { ...document.components, schemas } }
}

interface Completion {
  readonly reference: OperationReference
  readonly models: Models
  /** Schema of the operation's refusals. */
  readonly problem: object
}

function completeOperation(operation: Operation, { reference, models, problem }: Completion): void {
  operation.description = reference.description
  for (const parameter of operation.parameters ?? []) Object.assign(parameter, PARAMETERS[parameter.name ?? ''])
  const responses = operation.responses ?? {}
  for (const [status, description] of Object.entries(reference.refusals ?? {})) {
    responses[status] = { description, content: { [JSON_TYPE]: { schema: problem } } }
  }
  if (!Object.keys(responses).some(isSuccess))
    responses['200'] = { description: 'Done.', content: { [JSON_TYPE]: { schema: { type: 'object' } } } }
  for (const [status, answer] of Object.entries(responses)) {
    if (isSuccess(status) && reference.mediaType !== undefined) answer.content = { [reference.mediaType]: { schema: { type: 'string' } } }
    completeMedia(answer.content, isSuccess(status) || status === '503' ? reference.answer : undefined, models, answer.description)
    if (isSuccess(status) && reference.streamType !== undefined)
      answer.content = { ...answer.content, [reference.streamType]: { schema: { type: 'string' } } }
  }
  operation.responses = responses
  const { requestBody } = operation
  if (requestBody !== undefined && isBodyOptional(requestBody.content?.[JSON_TYPE]?.schema)) requestBody.required = false
  completeMedia(requestBody?.content, reference.request, models)
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

/** A description of the answer is not repeated in its schema. */
function completeMedia(content: Record<string, Media> | undefined, exchanged: Exchanged | undefined, models: Models, said?: string): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema === undefined || '$ref' in media.schema) continue
    const { description, ...schema } = media.schema as { description?: string }
    media.schema = models.named(description === said ? schema : media.schema, exchanged?.name)
    if (exchanged?.example !== undefined) media.example = exchanged.example
  }
}
