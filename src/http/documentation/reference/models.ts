/** Moves titled schemas to the document's models and leaves references in their place. */
import { isDeepStrictEqual } from 'node:util'

export interface Models {
  /** Returns the schema with its titled parts as references; itself a reference when it has a title or is given a name. */
  named(schema: object, name?: string): object
}

type Node = Readonly<Record<string, unknown>>

/** Adds the models to `schemas`. Throws if two different models have the same name. */
export function createModels(schemas: Record<string, object>): Models {
  const refer = (name: string, model: object): object => {
    const known = schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, model)) throw new Error(`Two models are called ${name}`)
    schemas[name] = model
    return { $ref: `#/components/schemas/${name}` }
  }
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist)
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = value as Node
    const inner = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, hoist(child)]))
    // A property may be called "title"; its value is then a schema and not a name.
    if (title !== undefined && typeof title !== 'string') return { ...inner, title: hoist(title) }
    if (title === undefined) return inner
    // The description is that of the place: the same model means something else elsewhere.
    const { description, ...model } = inner
    return typeof description === 'string' ? { ...refer(title, model), description } : refer(title, model)
  }
  return {
    named(schema, name) {
      const { title, ...rest } = schema as Node
      const chosen = name ?? title
      return (typeof chosen === 'string' ? refer(chosen, hoist(rest) as object) : hoist(rest)) as object
    }
  }
}
