/** Output of commands: data on standard output, messages about the work on standard error. */
import { styleText } from 'node:util'
import { processEnvironment } from '../../config.js'

/** Colours in use. Their meaning is always also stated in words. */
type Colour = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

export interface Output {
  /** Prints one line of data. */
  line(text: string): void
  /** Prints part of a line of data, which `line` completes. */
  part(text: string): void
  /** Prints one value as a line of JSON. */
  json(value: unknown): void
  /** Prints one line about the work. */
  note(text: string): void
  /** Colours `text` if standard output is a terminal with colours. */
  paint(colour: Colour, text: string): string
}

/** Uses colours only on a terminal, and never with `NO_COLOR`: https://no-color.org. */
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

/** Whether standard output is a terminal with colours that the user has not disabled. */
export function isTerminalColoured(): boolean {
  const env = processEnvironment()
  return process.stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}
