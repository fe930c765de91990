/** What a text is made of, for comparing what it states. */

export interface Word {
  /** Lower case; synonyms brought to one. */
  readonly text: string
  /** Lower case, as written. */
  readonly written: string
  readonly stem: string
  /** Grammar or politeness: says nothing that would have to recur, or is compared as what it is. */
  readonly isStop: boolean
  /** A number or an identifier with more than letters in it: compared character by character. */
  readonly isExact: boolean
  readonly isEnglish: boolean
  /** Capitalised inside an English sentence. */
  readonly isName: boolean
  /** A German noun; in English what stands behind an article or the like. */
  readonly isThing: boolean
  /** The word in front of it, as written; empty for none. */
  readonly before: string
  /** How its forms are told: a German verb by its lemma, an English past by its ending or by heart; null for all else. */
  readonly form: 'verb' | 'regular' | 'irregular' | null
  /** Of a verb, where its form says so. */
  readonly time: 'present' | 'past' | 'participle' | null
}

export interface Reading {
  /** Politeness and other framing taken off; else as given. */
  readonly text: string
  /** With its framing. */
  readonly given: string
  readonly words: readonly Word[]
  readonly isGerman: boolean
  /** Capitalised inside a sentence, or in capitals: lower case here. In German every noun. */
  readonly names: ReadonlySet<string>
  /** True for a text of small letters alone, or of capitals alone: its names cannot be told. */
  readonly isLowerCase: boolean
}
