/** Tool that tells how far a conversation has drifted, and explains why. */
import { Type } from '@sinclair/typebox'
import { SHIFTING_SHARE } from '../../domain/drift/drift.js'
import { DriftPhase, UnderstandingPhase } from '../../http/contract/schemas.js'
import { ask } from '../calls/failures.js'
import { CLOSED, SessionArgument } from './fields.js'
import { defineTool, READS } from './tool.js'

const DESCRIPTION = `Tell how far a conversation has moved from what its session was about, and why.
Use it when the user asks whether you are still on the subject, or before you go back to an earlier one. It changes nothing.
recall already tells the drift of each message, so there is no need to call this in every turn.
"drift_score" runs from 0 (what the session is about) to 1 (something else altogether); at "drift_threshold" and above it counts as drifted.
Example: {}`

const Output = Type.Object({
  session_id: Type.String(),
  drift_score: Type.Number({ description: 'Drift of the latest input, 0 to 1.' }),
  drift_threshold: Type.Number(),
  drift_phase: DriftPhase,
  phase: UnderstandingPhase,
  interaction_count: Type.Integer(),
  total_memories: Type.Integer(),
  topic_switches: Type.Integer(),
  anchor_score: Type.Union([Type.Number(), Type.Null()], { description: 'Similarity to the anchors of the session; null without any.' }),
  explanation: Type.String({ description: 'The reasons in words.' })
})

type Metrics = Omit<typeof Output.static, 'explanation'>

export const drift = defineTool({
  name: 'drift',
  title: 'Tell the drift',
  description: DESCRIPTION,
  hints: READS,
  input: Type.Object({ session_id: SessionArgument }, CLOSED),
  output: Output,
  async run({ session_id }, context) {
    const path = `/v1/metrics/${encodeURIComponent(session_id ?? context.session)}`
    const metrics = await ask<Metrics>(context, { method: 'GET', path })
    const { drift_score, drift_threshold, drift_phase, phase, interaction_count, total_memories, topic_switches, anchor_score } = metrics
    return {
      session_id: metrics.session_id,
      ...{ drift_score, drift_threshold, drift_phase, phase, interaction_count, total_memories, topic_switches, anchor_score },
      explanation: explain(metrics)
    }
  }
})

/** Explains the phase by the measured values only. */
function explain({ drift_score, drift_threshold, drift_phase, interaction_count, topic_switches, anchor_score }: Metrics): string {
  if (interaction_count === 0) return 'Nothing was said in this session yet, so there is nothing to drift from.'
  const calm = drift_threshold * SHIFTING_SHARE
  const score = drift_score.toFixed(2)
  const reasons = [
    drift_score >= drift_threshold
      ? `The latest input scored ${score}, which reaches the threshold of ${drift_threshold}: it is about something else.`
      : drift_score >= calm
        ? `The latest input scored ${score}, between ${calm.toFixed(2)} and the threshold of ${drift_threshold}: it is moving away.`
        : `The latest input scored ${score}, below ${calm.toFixed(2)}: it is close to what the session is about.`
  ]
  if (drift_phase === 'drifted' && drift_score < drift_threshold)
    reasons.push('The session drifted before, and counts as drifted until the talk is calm again.')
  if (topic_switches > 0) reasons.push(`The subject has changed ${topic_switches === 1 ? 'once' : `${topic_switches} times`} so far.`)
  if (anchor_score !== null) reasons.push(`Its similarity to the anchors of the session is ${anchor_score.toFixed(2)}.`)
  return reasons.join(' ')
}
