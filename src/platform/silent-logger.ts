import type { Logger } from '../ports.js'

/** Logger that drops everything, for commands that report failures themselves: their output is not a log. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
