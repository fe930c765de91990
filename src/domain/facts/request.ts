/** Kinds of requests, with helpers to classify sentences. */

/** What a sentence asks for: something to be done, or to be told. Null for neither, or for an unsupported language. */
export type Request = 'deed' | 'answer' | null

interface Opening {
  /** The first word, as it stands; empty if the sentence begins with none. */
  readonly verb: string
  /** The rest, without leading punctuation and space. */
  readonly rest: string
}

/** Splits off the first word of a sentence, which must have no line breaks. */
export function openingOf(sentence: string): Opening {
  const verb = /^\p{L}+/u.exec(sentence)?.[0] ?? ''
  return { verb, rest: sentence.slice(verb.length).replace(/^[ ,.!:]+/, '') }
}

export function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
