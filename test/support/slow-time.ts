/**
 * Slows `performance.now` and `setTimeout` in a program; loaded before its own modules (`--import`). A second takes half a minute, so that
 * on a busy machine no deadline passes while the program waits for a processor.
 */
import { performance } from 'node:perf_hooks'

const TIMES_SLOWER = 30

const passedMs = performance.now.bind(performance)
performance.now = () => passedMs() / TIMES_SLOWER

const start = globalThis.setTimeout
const slowly = (listener: () => void, delayMs = 0, ...args: []) => start(listener, delayMs * TIMES_SLOWER, ...args)
globalThis.setTimeout = Object.assign(slowly, start)
