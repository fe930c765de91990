/** Properties of a model that its versioned name implies. */

/** UTF-16 units per vector of a lexical model: 256 tokens of four, the interface's estimate where there is no tokenizer. */
export const LEXICAL_WINDOW_CHARS = 1_024

/** Whether a model's vectors represent the words of a text rather than its meaning. */
export function isLexicalModel(modelName: string): boolean {
  return modelName.startsWith('lexical-')
}
