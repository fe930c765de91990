/** The functions of Helm's templates that the chart uses. Unknown ones throw. */
import { createHash } from 'node:crypto'
import { stringify } from 'yaml'

export type TemplateFunction = (...operands: readonly unknown[]) => unknown

/** A failure that a template raises. */
export class TemplateRefusal extends Error {}

/** Truth as in Go templates: missing, false, 0 and empty values are false. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

/** Formats a value as Go does. */
export function printed(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') throw new Error(`Only single values are printed, not ${JSON.stringify(value)}`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const indented = (count: unknown, text: unknown) => printed(text).replaceAll(/^/gm, ' '.repeat(Number(count)))

export const TEMPLATE_FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTruthy(value),
  and: (...values) => values.find((value) => !isTruthy(value)) ?? values.at(-1),
  or: (...values) => values.find(isTruthy) ?? values.at(-1),
  eq: (first, ...others) => others.some((other) => first === other),
  ne: (first, second) => first !== second,
  gt: (first, second) => Number(first) > Number(second),
  lt: (first, second) => Number(first) < Number(second),
  add: (...values) => values.reduce<number>((sum, value) => sum + Number(value), 0),
  int: (value) => Math.trunc(Number(value)),
  until: (count) => Array.from({ length: Number(count) }, (_, index) => index),
  default: (fallback, value) => (isTruthy(value) ? value : fallback),
  ternary: (whenTrue, whenFalse, test) => (isTruthy(test) ? whenTrue : whenFalse),
  contains: (part, text) => printed(text).includes(printed(part)),
  replace: (old, next, text) => printed(text).replaceAll(printed(old), printed(next)),
  trunc: (length, text) => printed(text).slice(0, Number(length)),
  trimSuffix: (suffix, text) => (printed(text).endsWith(printed(suffix)) ? printed(text).slice(0, -printed(suffix).length) : text),
  toString: printed,
  quote: (value) => JSON.stringify(printed(value)),
  printf: (format, ...values) => {
    const rest = [...values]
    return printed(format).replaceAll(/%[sdv]/g, () => printed(rest.shift()))
  },
  indent: indented,
  nindent: (count, text) => `\n${indented(count, text)}`,
  toYaml: (value) => stringify(value, { lineWidth: 0, sortMapEntries: true }).trimEnd(),
  sha256sum: (text) => createHash('sha256').update(printed(text)).digest('hex'),
  list: (...values) => values,
  dict: (...pairs) =>
    Object.fromEntries(pairs.flatMap((key, index) => (index % 2 === 0 ? [[printed(key), pairs[index + 1]] as const] : []))),
  fail: (message) => {
    throw new TemplateRefusal(printed(message))
  },
  required: (message, value) => {
    if (isTruthy(value)) return value
    throw new TemplateRefusal(printed(message))
  }
}
