/**
 * Renders the chart as Helm would: the subset of Go templates and Helm functions that the chart uses. It is not Helm. It refuses what it
 * does not know, so that a template which outgrows it fails here instead of passing unnoticed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { renderTemplate } from './render-template.js'
import { type Definitions, parseTemplate } from './template-tree.js'

export type Values = Readonly<Record<string, unknown>>

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly [field: string]: unknown }
  readonly [field: string]: unknown
}

export interface Chart {
  readonly about: Readonly<Record<string, string>>
  readonly values: Values
  /** Why the values' schema refuses these values; null when they are valid. */
  refusalOf(values: Values): string | null
  /** Returns rendered texts by file, including `NOTES.txt`. Throws for values that the chart refuses. */
  render(given: Values): ReadonlyMap<string, string>
  manifests(given: Values): Manifest[]
}

const RELEASE = { Name: 'memory', Namespace: 'apps', Service: 'Helm', IsInstall: true, IsUpgrade: false, Revision: 1 }

export function readChart(folder: string): Chart {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const about = parse(read('Chart.yaml')) as Readonly<Record<string, string>>
  const values = parse(read('values.yaml')) as Values
  const check = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(read('values.schema.json')) as object)
  const definitions: Definitions = new Map()
  const templates = readdirSync(join(folder, 'templates'))
    .sort()
    .map((name) => ({ name, nodes: parseTemplate(read(join('templates', name)), definitions) }))
  // Capitalised, as templates refer to the fields of Chart.yaml.
  const capitalised = Object.fromEntries(Object.entries(about).map(([key, value]) => [key.slice(0, 1).toUpperCase() + key.slice(1), value]))

  const render = (given: Values) => {
    const dot = { Values: merged(values, given), Release: RELEASE, Chart: capitalised }
    const shown = templates.filter(({ name }) => !name.startsWith('_'))
    return new Map(shown.map(({ name, nodes }) => [name, renderTemplate(nodes, dot, definitions)]))
  }
  return {
    about,
    values,
    refusalOf(given) {
      if (check(merged(values, given))) return null
      return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`).join('; ')
    },
    render,
    manifests: (given) =>
      [...render(given)]
        .filter(([name]) => name.endsWith('.yaml'))
        .flatMap(([name, text]) =>
          parseAllDocuments(text).flatMap((document) => {
            if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('; ')}`)
            return (document.toJS() as Manifest | null) ?? []
          })
        )
  }
}

/** Merges as Helm does: maps field by field, everything else as a whole. */
function merged(base: Values, given: Values): Values {
  const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
  const both = Object.entries(given).map(([key, value]): [string, unknown] => {
    const old = base[key]
    return [key, isMap(old) && isMap(value) ? merged(old, value) : value]
  })
  return { ...base, ...Object.fromEntries(both) }
}
