/** Recognises English past forms of verbs. */
import { baseForm } from '../text/english-irregular.js'

/** Words that end like a past but are none. */
const NO_PASTS = new Set(
  (
    'bed need feed speed seed weed breed bleed exceed proceed succeed hundred indeed embed shed sled naked wicked sacred rugged greed deed ' +
    'kindred shred thread bread head lead dead red instead ahead spread'
  ).split(' ')
)
/** Base words of irregular forms that are no past: plurals and comparisons. */
const NO_PAST_BASES = new Set('child foot life man mouse tooth wife woman person good bad be do have get'.split(' '))

/**
 * Whether a word is a past form: "moved", "written". Excludes forms equal to the present ("put") and words that are as often something else
 * ("left").
 */
export function isEnglishPast(word: string): boolean {
  const base = baseForm(word)
  if (base !== word) return !NO_PAST_BASES.has(base) && !word.endsWith('s')
  return word.length > 4 && word.endsWith('ed') && !NO_PASTS.has(word)
}
