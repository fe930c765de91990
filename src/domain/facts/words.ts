/** Parts of a text for comparing facts. */

export interface Word {
  /** In lower case, replaced by the representative of its synonyms. */
  readonly text: string
  /** In lower case, as written. */
  readonly written: string
  readonly stem: string
  /** Grammar or politeness: need not recur in the other text, or another check compares it. */
  readonly isStop: boolean
  /** A number, or an identifier with other characters than letters: compared character by character. */
  readonly isExact: boolean
  readonly isEnglish: boolean
  /** Capitalised within an English sentence. */
  readonly isName: boolean
  /** A German noun; in English, a word after an article or the like. */
  readonly isThing: boolean
  /** The word before it, as written; empty for none. */
  readonly before: string
  /** How its forms are recognised: a German verb by its lemma, an English past by its ending or by a list; null for all others. */
  readonly form: 'verb' | 'regular' | 'irregular' | null
  /** Tense of a verb, if its form reveals it. */
  readonly time: 'present' | 'past' | 'participle' | null
}

export interface Reading {
  /** The text without politeness and other framing. */
  readonly text: string
  /** The text with its framing. */
  readonly given: string
  readonly words: readonly Word[]
  readonly isGerman: boolean
  /** Words capitalised within a sentence, or in capitals; here in lower case. In German, every noun. */
  readonly names: ReadonlySet<string>
  /** True for a text entirely in lower case or in capitals, so that names cannot be recognised. */
  readonly isLowerCase: boolean
}
