/** Characters per token with the usual subword vocabularies in English; other languages have fewer. Interface, Context block. */
export const CHARACTERS_PER_TOKEN = 4

/** Estimated tokens of a text, for embedders without a tokenizer. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
