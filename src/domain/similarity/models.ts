/** Properties of a model that its versioned name implies. */

/** Name of the lexical model. Increase the version with every change to the features: vectors of two versions must not be compared. */
export const LEXICAL_MODEL_NAME = 'lexical-hash-v1'

/** UTF-16 units per vector of a lexical model: 256 tokens of four, the interface's estimate where there is no tokenizer. */
export const LEXICAL_WINDOW_CHARS = 1_024

/** Whether a model's vectors represent the words of a text rather than its meaning. */
export function isLexicalModel(modelName: string): boolean {
  return modelName.startsWith('lexical-')
}
