/** Fields of a body, as rows of a table. */
import type { OpenApiDocument, Schema } from './document.js'

export interface Field {
  /** Path of the field, as in `filter.role`; `[]` stands for each item. */
  readonly name: string
  readonly type: string
  /** Default when it is omitted, or that it is required. */
  readonly presence: string
  readonly range: string
  readonly description: string
}

/** Maximum depth; deeper fields are only in the machine-readable schema. */
const DEPTH_MAX = 3

/** Returns the fields of an object or of a list's items, outer ones first. */
export function fieldsOf(document: OpenApiDocument, schema: Schema, prefix = '', depth = 0): Field[] {
  const { schema: whole } = plain(document, schema)
  if (whole.items !== undefined) return fieldsOf(document, whole.items, `${prefix}[]`, depth)
  if (depth === DEPTH_MAX) return []
  return Object.entries(whole.properties ?? {}).flatMap(([key, given]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const { schema: inner, isNullable } = plain(document, given)
    const isRequired = whole.required?.includes(key) === true
    const own: Field = {
      name,
      type: typeOf(document, inner) + (isNullable ? ' or null' : ''),
      presence: isRequired ? 'required' : 'default' in inner ? JSON.stringify(inner.default) : '',
      range: rangeOf(inner),
      description: given.description ?? inner.description ?? ''
    }
    return [own, ...fieldsOf(document, inner, name, depth + 1)]
  })
}

/** Resolves references, and separates the null that a schema may allow. */
function plain(document: OpenApiDocument, schema: Schema): { schema: Schema; isNullable: boolean } {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return plain(document, document.components.schemas[name] ?? {})
  }
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null')
  if (choices?.length !== 1 || choices[0] === undefined) return { schema, isNullable: false }
  return {
    schema: { ...schema, anyOf: undefined, ...plain(document, choices[0]).schema } as Schema,
    isNullable: choices.length !== schema.anyOf?.length
  }
}

function typeOf(document: OpenApiDocument, schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(document, plain(document, one).schema)))].join(', ')
  if (schema.items !== undefined) return `list of ${typeOf(document, plain(document, schema.items).schema)}`
  return schema.type ?? 'anything'
}

/** The largest 32-bit float bounds every number of a vector, so it is not worth showing. */
const FLOAT_MAX = 3.4e38

function rangeOf(schema: Schema): string {
  const [least, most] = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum]
  const bounds: [string, number | undefined, number | undefined][] = [
    ['', least !== undefined && least > -FLOAT_MAX ? least : undefined, most !== undefined && most < FLOAT_MAX ? most : undefined],
    [' characters', schema.minLength, schema.maxLength],
    [' items', schema.minItems, schema.maxItems]
  ]
  return bounds
    .filter(([, from, to]) => from !== undefined || to !== undefined)
    .map(([unit, from, to]) => {
      if (to === undefined) return `${schema.exclusiveMinimum === undefined ? 'from' : 'above'} ${String(from)}${unit}`
      if (unit === '' && schema.exclusiveMinimum !== undefined) return `above ${String(from)}, up to ${to.toLocaleString('en')}`
      return from === undefined ? `up to ${to.toLocaleString('en')}${unit}` : `${String(from)} to ${to.toLocaleString('en')}${unit}`
    })
    .join(', ')
}
