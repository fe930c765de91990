/** Long texts as streams take them: each piece is made when it is asked for, in a turn of its subject. */
import { atOnce } from '../../domain/pieces.js'
import type { InTurns } from './contracts.js'

/** Leaves out what is empty, which would be no piece of a stream. Returns what `pieces` does. */
export async function* textInTurns<Result>(pieces: Generator<string, Result>, inTurns: InTurns): AsyncGenerator<string, Result> {
  const next = (): Promise<IteratorResult<string, Result>> => inTurns(atOnce(() => pieces.next()))
  let piece = await next()
  for (; piece.done !== true; piece = await next()) if (piece.value !== '') yield piece.value
  return piece.value
}
