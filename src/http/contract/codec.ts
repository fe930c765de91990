/**
 * Names are in snake case on the wire and in camel case inside. A codec translates between the two by the schema of a route, so that the
 * compiler checks both sides. It translates only names that the schema declares: data that a client stores (keys, values, vectors) is
 * passed through unchanged. A codec is created once per schema; a request then costs one walk over its own fields.
 */
import type { Static, TSchema } from '@sinclair/typebox'
import { toCamelCase } from '../../domain/wire-names.js'

/** Names that break the rule: units are abbreviated inside, and replies call a refusal `refused`. */
const EXCEPTIONS = {
  vote_window_seconds: 'voteWindowS',
  sample_interval_seconds: 'sampleIntervalS',
  short_circuit_refused: 'refused'
} as const

type Exceptions = typeof EXCEPTIONS
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

/** The inside name of a name on the wire. */
type Renamed<Name> = Name extends keyof Exceptions ? Exceptions[Name] : Name extends string ? Camel<Name> : Name

/** The inside type of a value on the wire. */
type Inside<Wire> = Wire extends readonly (infer Item)[]
  ? readonly Inside<Item>[]
  : Wire extends object
    ? { readonly [Name in keyof Wire as Renamed<Name>]: Inside<Wire[Name]> }
    : Wire

/** The inside type of a request: null fields count as not given. */
type Given<Wire> = Wire extends readonly (infer Item)[]
  ? Given<Item>[]
  : Wire extends object
    ? { [Name in keyof Wire as Renamed<Name>]: Given<NonNullable<Wire[Name]>> }
    : Wire

type Translate = (value: unknown) => unknown

interface Field {
  readonly from: string
  readonly to: string
  /** Null where the value needs no translation. */
  readonly translate: Translate | null
}

/** Creates a function that writes an answer: the fields that the schema declares, and no others. */
export function createWriter<Schema extends TSchema>(schema: Schema): (value: Inside<Static<Schema>>) => Static<Schema> {
  const write = translation(schema, (wire) => ({ from: toInside(wire), to: wire }), { dropsNull: false })
  return (value) => (write === null ? value : write(value))
}

/** Creates a function that reads a valid body. Fields that are null or missing are left out. */
export function createReader<Schema extends TSchema>(schema: Schema): (body: Static<Schema>) => Given<Static<Schema>> {
  const read = translation(schema, (wire) => ({ from: wire, to: toInside(wire) }), { dropsNull: true })
  return (body) => (read === null ? body : read(body)) as Given<Static<Schema>>
}

function toInside(name: string): string {
  return Object.hasOwn(EXCEPTIONS, name) ? EXCEPTIONS[name as keyof Exceptions] : toCamelCase(name)
}

interface Direction {
  /** Whether null fields are left out. */
  readonly dropsNull: boolean
}

/** Returns null for a schema without names. */
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
  // A nullable value. With several alternatives that have names, it would be unclear which one applies.
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
