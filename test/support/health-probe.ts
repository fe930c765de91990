/**
 * Asks a service for its health again and again and tells its parent how long each answer took: in a process of its own, which nothing else
 * keeps busy.
 */
import process from 'node:process'

/** Milliseconds from one answer to the next question. */
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
