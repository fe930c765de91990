/**
 * Names on the wire are in snake case, names inside in camel case. A codec translates between the two by the schema of a route, so that the
 * compiler knows both sides. Only names that a schema declares are translated: what a client keeps here (keys, values, vectors) is handed
 * on as it is. A codec is made once for a schema; a request walks over its own fields alone.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { toCamelCase } from '../../domain/wire-names.js'

/** Names that do not follow the rule. Units are short inside, and a reply calls a refusal what it is. */
const EXCEPTIONS = {
  vote_window_seconds: 'voteWindowS',
  sample_interval_seconds: 'sampleIntervalS',
  short_circuit_refused: 'refused'
} as const

type Exceptions = typeof EXCEPTIONS
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

/** What a name on the wire is inside. */
type Renamed<Name> = Name extends keyof Exceptions ? Exceptions[Name] : Name extends string ? Camel<Name> : Name

/** A value on the wire, as it is inside. */
export type Inside<Wire> = Wire extends readonly (infer Item)[]
  ? readonly Inside<Item>[]
  : Wire extends object
    ? { readonly [Name in keyof Wire as Renamed<Name>]: Inside<Wire[Name]> }
    : Wire

/** Likewise for what a client sends: a field that is null was not given. */
export type Given<Wire> = Wire extends readonly (infer Item)[]
  ? Given<Item>[]
  : Wire extends object
    ? { [Name in keyof Wire as Renamed<Name>]: Given<NonNullable<Wire[Name]>> }
    : Wire

type Translate = (value: unknown) => unknown

interface Field {
  readonly from: string
  readonly to: string
  /** Null where what it holds stays as it is. */
  readonly translate: Translate | null
}

/** What answers such a schema: the fields that it declares, and no others. */
export function createWriter<Schema extends TSchema>(schema: Schema): (value: Inside<Static<Schema>>) => Static<Schema> {
  const write = translation(schema, (wire) => ({ from: toInside(wire), to: wire }), { dropsNull: false })
  return (value) => (write === null ? value : write(value))
}

/** What a valid body of such a schema says. Fields that are null or missing are left out. */
export function createReader<Schema extends TSchema>(schema: Schema): (body: Static<Schema>) => Given<Static<Schema>> {
  const read = translation(schema, (wire) => ({ from: wire, to: toInside(wire) }), { dropsNull: true })
  return (body) => (read === null ? body : read(body)) as Given<Static<Schema>>
}

function toInside(name: string): string {
  return Object.hasOwn(EXCEPTIONS, name) ? EXCEPTIONS[name as keyof Exceptions] : toCamelCase(name)
}

interface Direction {
  /** Whether a field that is null is left out. */
  readonly dropsNull: boolean
}

/** Null: nothing in it has a name. */
function translation(schema: TSchema, naming: (wire: string) => Pick<Field, 'from' | 'to'>, direction: Direction): Translate | null {
  const { properties, items, anyOf } = schema as { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] }
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([wire, own]) => ({ ...naming(wire), translate: translation(own, naming, direction) }))
    return (value) => translated(fields, value as Readonly<Record<string, unknown>>, direction)
  }
  if (items !== undefined) {
    const item = translation(items, naming, direction)
    return item === null ? null : (value) => (value as readonly unknown[]).map(item)
  }
  // A value that may be null: of several shapes that have names nobody could say which one it is.
  const [own, ...others] = (anyOf ?? []).map((one) => translation(one, naming, direction)).filter((one) => one !== null)
  if (others.length > 0) throw new Error('A schema with names in more than one of its alternatives')
  return own === undefined ? null : (value) => (value === null ? null : own(value))
}

function translated(fields: readonly Field[], value: Readonly<Record<string, unknown>>, { dropsNull }: Direction): object {
  const result: Record<string, unknown> = {}
  for (const { from, to, translate } of fields) {
    const held = value[from]
    if (held === undefined || (dropsNull && held === null)) continue
    result[to] = translate === null ? held : translate(held)
  }
  return result
}
