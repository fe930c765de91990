/** Floors of the guard over the pairs that its rules were written with: a rule that costs one of them is seen. */
import t from 'tap'
import { isShortCircuit } from '../../bench/quality/short-circuit/measure.js'
import { LANGUAGES, readPairs, type TextPair } from '../../bench/quality/short-circuit/pairs.js'
import { scaleOf } from '../../src/domain/similarity/calibration.js'
import { factsDiffer } from '../../src/domain/facts/fact-guard.js'
import { leastSimilarity } from '../../src/domain/facts/repetition.js'
import { isTask } from '../../src/domain/facts/tasks.js'
import { SHORT_CIRCUIT_THRESHOLD } from '../../src/domain/limits.js'
import { dot } from '../../src/domain/similarity/vector.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { LEXICAL_MODEL_NAME } from '../../src/domain/similarity/models.js'
import { startService } from '../support/real-service.js'

const PRECISION_MIN = 0.995
/** The goal is .35 on texts of other authors; these are our own. */
const RECALL_MIN = 0.5
/** Of each language, through the whole service: every so many pairs. */
const SERVICE_STEP = 16
/** That of a session unless its creator says otherwise. */
const DIMENSION = 384

const scale = scaleOf(LEXICAL_MODEL_NAME)

/** As a session compares them: words that stand for each other count nothing. */
function similarityOf({ first, second }: TextPair): number {
  return scale(dot(lexicalVector(first, DIMENSION), lexicalVector(second, DIMENSION)))
}

for (const language of LANGUAGES) {
  const pairs = readPairs(language, ['worked on'])

  t.test(
    `${language}: of the short circuits that the guard lets pass nearly all are rephrasings, and of those it passes half`,
    async (t) => {
      const hits = pairs.filter(({ first, second }) => factsDiffer(first, second) === null)
      const same = hits.filter(({ isSame }) => isSame)
      t.ok(same.length / hits.length >= PRECISION_MIN, `${hits.length - same.length} false of ${hits.length}`)
      const recall = same.length / pairs.filter(({ isSame }) => isSame).length
      t.ok(recall >= RECALL_MIN, `recall ${recall}`)
    }
  )

  t.test(`${language}: a run is a short circuit where the guard lets it pass and it belongs to the matter`, async (t) => {
    const { service } = await startService(t, { env: { SERVICE_ALLOW_ANONYMOUS: '1' } })
    for (const pair of pairs.filter((_, at) => at % SERVICE_STEP === 0)) {
      const isSaid = factsDiffer(pair.first, pair.second) === null && similarityOf(pair) >= leastSimilarity(SHORT_CIRCUIT_THRESHOLD)
      // What is to be done once more is said again, and not answered.
      const isHit = isSaid && !isTask(pair.second)
      t.equal(await isShortCircuit(service, pair), isHit, `${pair.first} | ${pair.second}`)
    }
  })
}
