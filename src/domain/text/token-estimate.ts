/** Characters of a token under the usual subword vocabularies in English, in other languages fewer. Interface, Context block. */
export const CHARACTERS_PER_TOKEN = 4

/** About the tokens of a text, for embedders without a tokenizer. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
