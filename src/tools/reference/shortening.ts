/** Shortens recorded JSON for a page; the result is still valid JSON. */

const ITEMS_MAX = 3
const NUMBERS_MAX = 8
const CHARACTERS_MAX = 400
const FIELDS_MAX = 24
const DECIMALS = 4

/** Replaces what is left out by a note. Rounds numbers. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(DECIMALS))
  if (typeof value === 'string') return shortText(value)
  if (Array.isArray(value)) return shortList(value)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  const shown = fields.slice(0, FIELDS_MAX).map(([name, inner]): [string, unknown] => [name, shortened(inner)])
  return Object.fromEntries(fields.length > FIELDS_MAX ? [...shown, ['…', `${String(fields.length - FIELDS_MAX)} more fields`]] : shown)
}

function shortText(text: string): string {
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}… (${String(text.length - CHARACTERS_MAX)} more characters)` : text
}

function shortList(list: readonly unknown[]): unknown[] {
  const areNumbers = list.every((item) => typeof item === 'number')
  const most = areNumbers && list.length <= NUMBERS_MAX ? NUMBERS_MAX : ITEMS_MAX
  const shown = list.slice(0, most).map(shortened)
  return list.length > most ? [...shown, `… ${String(list.length - most)} more`] : shown
}
