/**
 * Requests a service's health repeatedly, and reports to its parent how long each answer took. A separate process, so that nothing else
 * keeps it busy.
 */
import process from 'node:process'

/** Milliseconds between an answer and the next request. */
const PAUSE_MS = 20

const url = new URL('/v1/health', process.argv[2])
for (;;) {
  const began = performance.now()
  const isAnswered = await fetch(url).then(
    async (answer) => (await answer.text()) !== '' && answer.ok,
    () => false
  )
  process.send?.(isAnswered ? performance.now() - began : -1)
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
