/** Finds the speaker of a text that begins like a line of a transcript, a chat log or subtitles. */

/** Length of the beginning of a text, in characters, in which its speaker is looked for. */
const LABEL_CHARACTERS = 160
/** Most parts of a time without brackets: `1:56 pm`, `on`, `8`, `May`, `2023`. */
const TIME_PARTS = 7

/** Quotation, list or emphasis marks before a name. */
const MARKS = /[\s>*_~\u200e-]*/y
const GAP = /[\s,|–—-]*/y
const BRACKETED = /[[(][^\])\n]{1,48}[\])]/y
const NUMBER = /\d[\d.:/TZ+-]*(?:\s?[ap]\.?m\b\.?)?/iuy
const FURTHER_PART = /[ \t,]+(?:on\b|\d[\d.:/TZ+-]*(?:\s?[ap]\.?m\b\.?)?|\p{L}{3,9}\b\.?(?=[ ,]+\d))/iuy

/** `Ann: text`, `**Ann:** text`, `Ann (13:56): text`. */
const LABELLED = /@?(\p{L}[\p{L}\p{M}\p{N} .'’-]{0,31})\s*(?:[[(][^\])\n]{1,48}[\])]\s*)?[*_]{0,3}[:：][*_]{0,3}(?:\s|$)/iuy
/** `<Ann> text` of chat logs, and `<v Ann>text` of subtitles. `<b>` is no name. */
const ANGLED = /<(?:v\s+)?[@+%&~]?(\p{L}[\p{L}\p{M}\p{N} .'’-]{1,31})>/iuy
const WHOLE_NAME = /^@?(\p{L}[\p{L}\p{M}\p{N} .'’-]{0,31})$/u
/** Start of a time after a name, and the separators between them. */
const TIME_START = /(?<=[\s,|–—-])[[(\d]/g
const TRAILING_GAP = /(?<![\s,|–—-])[\s,|–—-]+$/
/** One of these stands behind every name. */
const NAME_END = /[:：>\n]/

/** Name of the speaker as it stands; null without one. Takes constant time for any text. */
export function speakerOf(text: string): string | null {
  const start = text.slice(0, LABEL_CHARACTERS)
  if (!NAME_END.test(start)) return null
  const first = endOf(MARKS, start, 0) ?? 0
  for (const end of [...timeEnds(start, first), first]) {
    const at = endOf(MARKS, start, endOf(GAP, start, end) ?? end) ?? end
    const name = nameAt(LABELLED, start, at) ?? nameAt(ANGLED, start, at)
    if (name !== null) return name
  }
  return nameAbove(start.slice(first))
}

/** Finds `Ann [1:56 PM]` or `Ann — 13:56` on a line of its own above the text. */
function nameAbove(text: string): string | null {
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1) return null
  const line = text.slice(0, lineEnd).trimEnd()
  for (const { index } of line.matchAll(TIME_START)) {
    const name = WHOLE_NAME.exec(line.slice(0, index).replace(TRAILING_GAP, ''))?.[1]
    if (name !== undefined && timeEnds(line, index).includes(line.length)) return name
  }
  return null
}

/**
 * Possible ends of a time that begins at `from`, longest first: `[13:56]`, `(8 May 2023)`, `2023-05-08T13:56:01Z`, `08.05.23, 13:56`, `1:56
 * pm on 8 May, 2023`. There are several, because the last part may belong to the name: `13:56 Agent 7`.
 */
function timeEnds(text: string, from: number): number[] {
  const bracketed = endOf(BRACKETED, text, from)
  if (bracketed !== null) return [bracketed]
  const ends: number[] = []
  for (let end = endOf(NUMBER, text, from); end !== null && ends.length < TIME_PARTS; end = endOf(FURTHER_PART, text, end))
    ends.unshift(end)
  return ends
}

function endOf(sticky: RegExp, text: string, from: number): number | null {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : null
}

function nameAt(sticky: RegExp, text: string, from: number): string | null {
  sticky.lastIndex = from
  return sticky.exec(text)?.[1]?.trim() ?? null
}
