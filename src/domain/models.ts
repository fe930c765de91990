/** What the versioned name of a model says of it. */

/** UTF-16 units that one vector of such a model carries: 256 tokens of four, the interface's estimate where there is no tokenizer. */
export const LEXICAL_WINDOW_CHARS = 1_024

/** Whether its vectors are made of the words of a text, not of their meaning. */
export function isLexicalModel(modelName: string): boolean {
  return modelName.startsWith('lexical-')
}
