/** Which English words are the past of a verb by their form. */
import { baseForm } from '../text/english-irregular.js'

/** They end like a past and are none. */
const NO_PASTS = new Set(
  (
    'bed need feed speed seed weed breed bleed exceed proceed succeed hundred indeed embed shed sled naked wicked sacred rugged greed deed ' +
    'kindred shred thread bread head lead dead red instead ahead spread'
  ).split(' ')
)
/** Irregular forms that are no past: plurals and degrees. */
const NO_PAST_BASES = new Set('child foot life man mouse tooth wife woman person good bad be do have get'.split(' '))

/** "Moved", "written"; not what is the same in the present ("put"), nor what is a word of its own as often ("left"). */
export function isEnglishPast(word: string): boolean {
  const base = baseForm(word)
  if (base !== word) return !NO_PAST_BASES.has(base) && !word.endsWith('s')
  return word.length > 4 && word.endsWith('ed') && !NO_PASTS.has(word)
}
