import { upTo } from '../domain/text/characters.js'

/** Returns at most `chars` UTF-16 units, and an ellipsis if the text is longer. Cuts no letter off from its marks, and no emoji in two. */
export function beginningOf(text: string, chars: number): string {
  return text.length <= chars ? text : `${upTo(text, chars)}…`
}
