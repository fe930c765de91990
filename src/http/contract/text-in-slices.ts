/** Long texts as streams: each piece is made on demand, when its subject's turn comes. */
import { atOnce } from '../../domain/pieces.js'
import type { RunFairly } from './contracts.js'

/** Skips empty pieces, which streams do not accept. Returns the result of `pieces`. */
export async function* textInSlices<Result>(pieces: Generator<string, Result>, runFairly: RunFairly): AsyncGenerator<string, Result> {
  const next = (): Promise<IteratorResult<string, Result>> => runFairly(atOnce(() => pieces.next()))
  let piece = await next()
  for (; piece.done !== true; piece = await next()) if (piece.value !== '') yield piece.value
  return piece.value
}
