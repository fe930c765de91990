/** What a text is made of, for comparing what it states. */

export interface Word {
  /** Lower case, as written; synonyms brought to one. */
  readonly text: string
  readonly stem: string
  /** Grammar or politeness: says nothing that would have to recur. */
  readonly isStop: boolean
  /** A number or an identifier with more than letters in it: compared character by character. */
  readonly isExact: boolean
}

export interface Reading {
  /** Politeness and other framing taken off; else as given. */
  readonly text: string
  readonly words: readonly Word[]
  readonly isGerman: boolean
  /** Capitalised inside a sentence, or in capitals: lower case here. In German every noun. */
  readonly names: ReadonlySet<string>
  /** True for a text without any capital letter: its names cannot be told. */
  readonly isLowerCase: boolean
}
