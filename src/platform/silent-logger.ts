import type { Logger } from '../ports.js'

/** For commands that say themselves what went wrong: their output is not a log. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
