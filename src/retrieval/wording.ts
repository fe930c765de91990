/** What a text's wording reveals independent of the query. Read once per memory, when a search first meets it. */
import type { LeanMap } from '../domain/collections/lean-map.js'
import { endedIn, isCorrection } from '../domain/text/change-marks.js'
import { foldCase } from '../domain/text/normal-form.js'
import { questionShare } from '../domain/text/sentences.js'
import { speakerOf } from '../domain/text/speaker.js'

export interface Wording {
  /** Share of the text that only asks, 0..1. */
  readonly questionShare: number
  /** Words of its speaker's name in lower case; null without one. */
  readonly speaker: readonly string[] | null
  /** Whether it takes back what was said last, or says that something has ended. */
  readonly change: Change | null
}

type Change = 'takes back' | 'ends'

/** Length of the beginning of a text, in characters, by which its question share is judged. */
const JUDGED_LENGTH_MAX = 4_000

const PLAIN: Wording = { questionShare: 0, speaker: null, change: null }

/** Speaker names cached per session: more than take part in a conversation. */
const SPEAKERS_MAX = 64

/** `speakers` caches the names read last, so that memories share the arrays. */
export function readWording(text: string, speakers: LeanMap<string, readonly string[]>): Wording {
  const asking = questionShare(text.slice(0, JUDGED_LENGTH_MAX))
  const name = speakerOf(text)
  const change = isCorrection(text) ? 'takes back' : endedIn(text) === '' ? null : 'ends'
  if (name === null) return asking === 0 && change === null ? PLAIN : { questionShare: asking, speaker: null, change }
  const speaker = speakers.get(name) ?? foldCase(name).split(/\s+/)
  if (speakers.size >= SPEAKERS_MAX) speakers.clear()
  speakers.set(name, speaker)
  return { questionShare: asking, speaker, change }
}
