/** What the versioned name of a model says of it. */

/** Whether its vectors are made of the words of a text, not of their meaning. */
export function isLexicalModel(modelName: string): boolean {
  return modelName.startsWith('lexical-')
}
