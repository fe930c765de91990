/**
 * Loaded into a program before its own modules (`--import`): a second of that program takes half a minute, so that on a machine with other
 * work no deadline of its passes while it waits for a processor.
 */
import { performance } from 'node:perf_hooks'

const TIMES_SLOWER = 30

const passedMs = performance.now.bind(performance)
performance.now = () => passedMs() / TIMES_SLOWER

const start = globalThis.setTimeout
const slowly = (listener: () => void, delayMs = 0, ...args: []) => start(listener, delayMs * TIMES_SLOWER, ...args)
globalThis.setTimeout = Object.assign(slowly, start)
