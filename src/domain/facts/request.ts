/** What sentences ask for, and the words that tell it. */

/** What a sentence wants: something done, or something said. Null for neither, or what is in no language that is read. */
export type Request = 'deed' | 'answer' | null

export interface Opening {
  /** The first word, as it stands; empty where none begins the sentence. */
  readonly verb: string
  /** What follows it, without marks and space before it. */
  readonly rest: string
}

/** Of a sentence without line breaks. */
export function openingOf(sentence: string): Opening {
  const verb = /^\p{L}+/u.exec(sentence)?.[0] ?? ''
  return { verb, rest: sentence.slice(verb.length).replace(/^[ ,.!:]+/, '') }
}

export function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
