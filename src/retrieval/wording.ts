/** What the wording of a text says of it, whatever the query: read once a memory, when a search first comes upon it. */
import type { LeanMap } from '../domain/lean-map.js'
import { endedIn, isCorrection } from '../domain/text/change-marks.js'
import { foldCase } from '../domain/text/normal-form.js'
import { questionShare } from '../domain/text/sentences.js'
import { speakerOf } from '../domain/text/speaker.js'

export interface Wording {
  /** 0..1: the share of the text that only asks. */
  readonly questionShare: number
  /** The words of its speaker's name, lower case; null for a text without one. */
  readonly speaker: readonly string[] | null
  /** It takes back what was said last, or says that something has ended. */
  readonly change: Change | null
}

export type Change = 'takes back' | 'ends'

/** Characters of a text, the first ones, by which it is judged whether it only asks. */
const JUDGED_LENGTH_MAX = 4_000

const PLAIN: Wording = { questionShare: 0, speaker: null, change: null }

/** Names that a session's memories share: more speakers than take part in a conversation. */
const SPEAKERS_MAX = 64

/** `speakers` holds the names that were read last, so that memories share them. */
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
