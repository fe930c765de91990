/** Who says a text, where it begins as transcripts, chat logs and subtitles do. */

/** Characters of a text, the first ones, among which its speaker is looked for. */
const LABEL_CHARACTERS = 160

/** What stands before a name: quotation, list or emphasis marks. */
const MARKS = String.raw`[\s>*_~\u200e-]*`
/** `[13:56]`, `(8 May 2023)`, `2023-05-08T13:56:01Z`, `08.05.23, 13:56 -`, `1:56 pm on 8 May, 2023 |`. */
const BRACKETED = String.raw`[[(][^\])\n]{1,48}[\])]`
const CLOCK = String.raw`\d[\d.:,/TZ+-]*(?:\s?[ap]\.?m\b\.?)?(?:[ \t,]+(?:on\b|\d[\d.:,/TZ+-]*(?:\s?[ap]\.?m\b\.?)?|\p{L}{3,9}\b\.?(?=[ ,]+\d))){0,6}`
const TIME = String.raw`(?:(?:${BRACKETED}|${CLOCK})[\s,|–—-]*)`
const NAME = String.raw`@?(\p{L}[\p{L}\p{M}\p{N} .'’-]{0,31}?)`
/** Behind a name: a time, the end of its emphasis. */
const BEHIND = String.raw`\s*(?:${BRACKETED}\s*)?[*_]{0,3}`

/** `Ann: text`, each with a time or marks before it: `[13:56] Ann: text`, `- **Ann:** text`, `Ann (13:56): text`. */
const LABELLED = new RegExp(String.raw`^${MARKS}${TIME}?${MARKS}${NAME}${BEHIND}[:：][*_]{0,3}(?:\s|$)`, 'iu')
/** `<Ann> text`, as in chat logs, and `<v Ann>text` of subtitles; `<b>` is no name. */
const ANGLED = new RegExp(String.raw`^${MARKS}${TIME}?<(?:v\s+)?[@+%&~]?(\p{L}[\p{L}\p{M}\p{N} .'’-]{1,31})>`, 'iu')
/** `Ann [1:56 PM]` or `Ann — 13:56` on a line of its own, and the text below. */
const ABOVE = new RegExp(String.raw`^${MARKS}${NAME}\s*[\s,|–—-]\s*(?:${BRACKETED}|${CLOCK})\s*\n`, 'iu')

/** The name as it stands; null for a text without one. Costs the same for any length of text. */
export function speakerOf(text: string): string | null {
  const start = text.slice(0, LABEL_CHARACTERS)
  for (const format of [LABELLED, ANGLED, ABOVE]) {
    const name = format.exec(start)?.[1]?.trim()
    if (name !== undefined && name !== '') return name
  }
  return null
}
