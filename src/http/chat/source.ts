/**
 * Edits a chat request as text. Parsing it and writing it anew would change what it only passes through: integers above 2^53,
 * `1.0`, fields given twice. Every text here was parsed before, so it is JSON.
 */

export interface ChatEdit {
  /** Member of the outermost object that is left out. */
  readonly dropped: string
  /** A message to put before the one at `at` of the list `messages`, which has at least one; at its end when `at` is their number. */
  readonly inserted: { readonly at: number; readonly message: object } | null
}

interface Span {
  readonly start: number
  /** Excluded. */
  readonly end: number
}

interface Member {
  readonly name: string
  readonly whole: Span
  readonly value: Span
}

/** The request with the edit made. What is not edited keeps its characters, but for blanks between the outermost members. */
export function editChat(source: string, { dropped, inserted }: ChatEdit): string {
  const kept = membersOf(source).filter(({ name }) => name !== dropped)
  // Of a member that is given twice, the last one counts for JSON.parse, and for most readers.
  const messages = kept.findLast(({ name }) => name === 'messages')
  const texts = kept.map(({ whole, value }) => {
    const isEdited = inserted !== null && value === messages?.value
    return isEdited ? source.slice(whole.start, value.start) + withElement(source, value, inserted) : source.slice(whole.start, whole.end)
  })
  return `{${texts.join(',')}}`
}

function withElement(source: string, list: Span, { at, message }: { at: number; message: object }): string {
  const elements = elementsOf(source, list)
  const next = elements[at]
  const place = next?.start ?? elements.at(-1)?.end ?? list.start + 1
  const text = next === undefined ? `,${JSON.stringify(message)}` : `${JSON.stringify(message)},`
  return source.slice(list.start, place) + text + source.slice(place, list.end)
}

function membersOf(source: string): Member[] {
  const members: Member[] = []
  let at = skipBlanks(source, skipBlanks(source, 0) + 1)
  while (at < source.length && source[at] !== '}') {
    const nameEnd = endOf(source, at)
    const start = skipBlanks(source, skipBlanks(source, nameEnd) + 1)
    const end = endOf(source, start)
    members.push({ name: JSON.parse(source.slice(at, nameEnd)) as string, whole: { start: at, end }, value: { start, end } })
    at = skipComma(source, end)
  }
  return members
}

function elementsOf(source: string, list: Span): Span[] {
  const elements: Span[] = []
  let at = skipBlanks(source, list.start + 1)
  while (at < list.end - 1) {
    const end = endOf(source, at)
    elements.push({ start: at, end })
    at = skipComma(source, end)
  }
  return elements
}

function skipComma(source: string, at: number): number {
  const next = skipBlanks(source, at)
  return source[next] === ',' ? skipBlanks(source, next + 1) : next
}

function skipBlanks(source: string, at: number): number {
  while (at < source.length && ' \t\n\r'.includes(source.charAt(at))) at += 1
  return at
}

/** Where the value that starts at `at` ends. */
function endOf(source: string, at: number): number {
  const first = source.charAt(at)
  if (first === '"') return stringEnd(source, at)
  if (first === '{' || first === '[') return containerEnd(source, at)
  while (at < source.length && !',]} \t\n\r'.includes(source.charAt(at))) at += 1
  return at
}

/** By the search of the engine: pictures come through here as strings of megabytes. */
function stringEnd(source: string, at: number): number {
  let quote = source.indexOf('"', at + 1)
  while (quote >= 0 && isEscaped(source, quote)) quote = source.indexOf('"', quote + 1)
  return quote < 0 ? source.length : quote + 1
}

/** After an odd number of backslashes. */
function isEscaped(source: string, at: number): boolean {
  let before = at - 1
  while (source[before] === '\\') before -= 1
  return (at - before) % 2 === 0
}

function containerEnd(source: string, at: number): number {
  let depth = 0
  for (let index = at; index < source.length; index++) {
    const character = source[index]
    if (character === '"') index = stringEnd(source, index) - 1
    else if (character === '{' || character === '[') depth += 1
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1
  }
  return source.length
}
