/** Meaning of similarities, for the schema: with the calibration of each model. */
import { FITTED, type ScalePoint } from '../../../domain/similarity/calibration.js'

const maps = [...FITTED].map(
  ([modelName, knots]) => `\`${modelName}\`: ${knots.map(toText).join(', ')}, straight lines between, and unchanged below 0`
)

/** Markdown. */
export const SIMILARITIES =
  'Similarities (`top_similarity`, `max_sim`, `anchor_score`, `relevance`, and that of isolation) and the thresholds that they are compared with share one ' +
  'scale from -1 to 1, whichever model made the vectors. At 0.5 an input is as likely to belong to a matter as not; from 0.7 it belongs to it; from 0.85 ' +
  `it says the same again. The scale maps the cosine, depending on \`model_name\`. ${maps.join('; ')}. Any other model: the cosine itself. ` +
  'Plain cosines are `mean_similarity` and `similarity_variance`, and the votes on a proposal. `components.dense` of an explained search is a cosine that ' +
  'is raised towards that of the neighbouring memory, such as the question of an answer, if that one is nearer to the query in words.'

function toText([cosine, similarity]: ScalePoint): string {
  return `a cosine of ${String(cosine)} is ${String(similarity)}`
}
