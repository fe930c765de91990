/** What commands print: data on the standard output, everything about how it came on the standard error. */
import { styleText } from 'node:util'
import { processEnvironment } from '../../config.js'

/** The colours in use; what they mean is said in words as well. */
export type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

export interface Output {
  /** One line of data. */
  line(text: string): void
  /** A part of a line of data, which `line` ends. */
  part(text: string): void
  /** One value as a line of JSON. */
  json(value: unknown): void
  /** One line about the work. */
  note(text: string): void
  /** `text` in that colour where the standard output is a terminal that takes colours. */
  paint(colour: Colour, text: string): string
}

/** Colours only on a terminal, and never with `NO_COLOR`: https://no-color.org. */
export function createOutput(): Output {
  const isColoured = isTerminalColoured()
  return {
    line: (text) => void process.stdout.write(`${text}\n`),
    part: (text) => void process.stdout.write(text),
    json: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    paint: (colour, text) => (isColoured ? styleText(colour, text) : text)
  }
}

/** Whether the standard output is a terminal whose user has nothing against colours. */
export function isTerminalColoured(): boolean {
  const env = processEnvironment()
  return process.stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}
