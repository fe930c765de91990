/** Splits a Go template into literal text and actions, which are lists of words. */

export type Part = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly words: readonly Word[] }

export type Word =
  | { readonly kind: 'name' | 'field' | 'variable' | 'mark'; readonly text: string }
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }

const ACTION = /\{\{(- )?((?:"(?:\\.|[^"\\])*"|`[^`]*`|\/\*[^]*?\*\/|[^])*?)( -)?\}\}/g

/** Returns the parts in order. A dash inside the braces trims the adjacent white space; comments are dropped. */
export function partsOf(template: string): Part[] {
  const parts: Part[] = []
  let at = 0
  let isTrimmed = false
  const addText = (text: string, isTrimmedAfter: boolean): void => {
    const begun = isTrimmed ? text.trimStart() : text
    const trimmed = isTrimmedAfter ? begun.trimEnd() : begun
    if (trimmed !== '') parts.push({ kind: 'text', text: trimmed })
  }
  for (const match of template.matchAll(ACTION)) {
    const [whole, left, inside = '', right] = match
    addText(template.slice(at, match.index), left !== undefined)
    const code = inside.trim()
    if (!code.startsWith('/*')) parts.push({ kind: 'action', words: wordsOf(code) })
    at = match.index + whole.length
    isTrimmed = right !== undefined
  }
  addText(template.slice(at), false)
  return parts
}

const WORD = /\s+|"(?:\\.|[^"\\])*"|`[^`]*`|:=|[(),|]|\$\w*(?:\.\w+)*|(?:\.\w+)+|\.|-?\d+(?:\.\d+)?|\w+/gy

function wordsOf(code: string): Word[] {
  const words: Word[] = []
  WORD.lastIndex = 0
  let at = 0
  for (let match = WORD.exec(code); match !== null; match = WORD.exec(code)) {
    at = WORD.lastIndex
    const [text] = match
    if (text.trim() !== '') words.push(wordOf(text))
  }
  if (at < code.length) throw new Error(`Not understood in a template: ${code}`)
  return words
}

function wordOf(text: string): Word {
  if (text.startsWith('"')) return { kind: 'value', value: JSON.parse(text) as string }
  if (text.startsWith('`')) return { kind: 'value', value: text.slice(1, -1) }
  if (/^-?\d/.test(text)) return { kind: 'value', value: Number(text) }
  if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true' }
  if (text === 'nil') return { kind: 'value', value: null }
  if (text.startsWith('$')) return { kind: 'variable', text }
  if (text.startsWith('.')) return { kind: 'field', text }
  return { kind: /^\w/.test(text) ? 'name' : 'mark', text }
}
