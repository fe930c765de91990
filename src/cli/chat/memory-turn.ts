/** A turn without a model: prints the context block, the drift, and the short circuit. */
import type { EngramSession } from '../../client/engram.js'
import type { Schemas } from '../../client/requests.js'
import type { Output } from '../console/output.js'
import { plainLines } from '../console/plain-text.js'

export interface Turn {
  readonly session: EngramSession
  readonly text: string
  readonly isJson: boolean
  readonly signal: AbortSignal
}

type Run = Schemas['RunResponse']

/** `response` is the answer to the previous message, which is learned with this one. */
export async function showBlock(
  { session, text, isJson, signal }: Turn,
  { response, output }: { readonly response: string | undefined; readonly output: Output }
): Promise<void> {
  const run = await session.run({ message: text, ...(response !== undefined && { response }) }, { signal })
  if (isJson) output.json(run)
  else output.line(`${stateOf(run, output)}\n${plainLines(run.context)}`)
}

/** Phase and score, and the short circuit if there is one. */
function stateOf(run: Run, { paint }: Output): string {
  const repeat = run.short_circuit ? `  ${paint('bold', 'short circuit')}: this was answered before` : ''
  return `turn ${String(run.turn)}  ${driftWords(run, paint)}  similarity ${run.top_similarity.toFixed(2)}${repeat}`
}

/** `drift 0.62 drifted (detected)` */
export function driftWords(drift: Pick<Run, 'drift_score' | 'drift_phase' | 'drift_detected'>, paint: Output['paint']): string {
  const { drift_score: score, drift_phase: phase, drift_detected: isDetected } = drift
  const colour = phase === 'stable' ? 'green' : phase === 'shifting' ? 'yellow' : 'red'
  return `drift ${score.toFixed(2)} ${paint(colour, phase)}${isDetected ? ' (detected)' : ''}`
}
