/**
 * Maps places in compiled modules to places in the TypeScript sources. Only failures are looked up: with `--enable-source-maps` Node would
 * read a map for each module and look up the place of each assertion.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'

export interface WrittenPlaces {
  /** Maps the places in any text, such as a stack. */
  inText(text: string): string
  /** Maps the places in tap's diagnostics of a failure. */
  inDiag(diag: unknown): unknown
}

interface Place {
  readonly fileName: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** Path of a compiled module; captures `path` of `.tap/compiled/DIGEST/path.js`. */
const MODULE = String.raw`[^\s()'"]*\.tap/compiled/\w+/([^\s():'"]+)\.js`
const IN_TEXT = new RegExp(`${MODULE}:(\\d+):(\\d+)`, 'g')
const FILE_NAME = new RegExp(`^${MODULE}$`)
/** Lines shown before and after the failing one. */
const LINES_AROUND = 4

/** Creates the mapping for the compiled project in `folder`, which ends with a slash. */
export function createWrittenPlaces(folder: string): WrittenPlaces {
  const maps = new Map<string, SourceMap | null>()

  function mapOf(module: string): SourceMap | null {
    const path = join(folder, `${module}.js.map`)
    const known = maps.get(path)
    if (known !== undefined) return known
    const found = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null
    maps.set(path, found)
    return found
  }

  /** Lines and columns begin with 1. Null if the module has no source map. */
  function written(module: string, line: number, column: number): Place | null {
    const entry = mapOf(module)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalLine' in entry)) return null
    return { fileName: `${module}.ts`, lineNumber: entry.originalLine + 1, columnNumber: entry.originalColumn + 1 }
  }

  const inText = (text: string) =>
    text.replace(IN_TEXT, (whole: string, module: string, line: string, column: string) => {
      const place = written(module, Number(line), Number(column))
      return place === null ? whole : [place.fileName, place.lineNumber, place.columnNumber].join(':')
    })

  function inDiag(diag: unknown): unknown {
    if (typeof diag === 'string') return inText(diag)
    if (Array.isArray(diag)) return diag.map(inDiag)
    if (typeof diag !== 'object' || diag === null) return diag
    const entries = Object.fromEntries(Object.entries(diag).map(([name, value]) => [name, inDiag(value)]))
    const place = placeOf(entries['at'])
    return place === null
      ? entries
      : { ...entries, at: { ...(entries['at'] as object), ...place }, ...('source' in entries && { source: excerpt(place) }) }
  }

  function placeOf(at: unknown): Place | null {
    const { fileName, lineNumber, columnNumber } = (at ?? {}) as Partial<Place>
    const [, module] = FILE_NAME.exec(fileName ?? '') ?? []
    return module === undefined ? null : written(module, lineNumber ?? 1, columnNumber ?? 1)
  }

  function excerpt({ fileName, lineNumber, columnNumber }: Place): string {
    const lines = readFileSync(join(folder, fileName), 'utf8').split('\n')
    const marker = `${'-'.repeat(columnNumber - 1)}^`
    return [
      ...lines.slice(Math.max(0, lineNumber - LINES_AROUND), lineNumber),
      marker,
      ...lines.slice(lineNumber, lineNumber + LINES_AROUND)
    ].join('\n')
  }

  return { inText, inDiag }
}
