/** Code within texts, where a capital or a mark makes another name: `foo()` and `Foo()`, `x` and `!x`. */
import { withoutMarks } from './spellings.js'

/** A run of characters without spaces, stripped of the punctuation of its sentence. */
export interface Chunk {
  readonly written: string
  /** Letters and digits only, in lower case: the key for comparison. */
  readonly core: string
  readonly isCode: boolean
}

const EXTENSIONS =
  'js ts jsx tsx mjs cjs mts py rb rs go java kt swift c h cc cpp hpp cs php pl lua r sh bash zsh ps1 bat sql html htm css scss less xml json ' +
  'yaml yml toml ini cfg conf env lock log txt md rst csv tsv pdf doc docx xls xlsx ppt pptx png jpg jpeg gif svg webp mp3 mp4 wav mov ' +
  'avi zip tar gz tgz rar exe dll so jar war deb rpm iso db sqlite bak tmp ipynb vue svelte tex'
/** Products that are named like files. */
const PRODUCTS = /^(?:node|vue|next|nuxt|three|d3|react|express|chart|angular|ember|moment|backbone|discord|socket|p5|alpine|solid)\.js$/iu

/** Marks that occur only in code; "file(s)" and "and/or" are prose. */
const CODE: readonly RegExp[] = [
  // A call or an index.
  /^[\p{L}_$][\p{L}\p{N}_.$:]*(?:\((?!(?:e?s|e?n|e|r|in|innen)\))|\[)/u,
  // A path.
  /^(?:[~/]|\.{1,2}\/|\p{L}:[\\/]|\\\\).*\p{L}|\p{L}\\\p{L}/u,
  // A name of several words, or one marked with underscores.
  /[\p{L}\p{N}]_[\p{L}\p{N}]|^__?\p{L}[^_]*$|^__\p{L}.*__$/u,
  /^(?:!|--?|\$|%)\p{L}/u,
  /[\p{L}\p{N})\]](?:[=!<>]=?=|=|\+=|-=|->|=>|::)[\p{L}\p{N}"'([]/u,
  // A file.
  new RegExp(`[\\p{L}\\p{N}]\\.(?:${EXTENSIONS.replaceAll(' ', '|')})$`, 'iu')
]
const ADDRESS = /@|^https?:|^www\./iu

/** All chunks of a text. Everything between backticks is code. */
export function chunksOf(text: string): Chunk[] {
  let isQuoted = false
  const found: Chunk[] = []
  for (const part of text.split('`')) {
    for (const chunk of part.split(/\s+/u)) {
      const written = withoutSentence(chunk)
      const core = written.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
      if (core !== '') found.push({ written, core, isCode: isQuoted || isCodeByMarks(written) })
    }
    isQuoted = !isQuoted
  }
  return found
}

/** Whether one text has code that the other has in other capitals or marks. */
export function hasOtherCode(own: readonly Chunk[], others: readonly Chunk[]): boolean {
  const written = new Map<string, Set<string>>()
  for (const chunk of others) written.set(chunk.core, (written.get(chunk.core) ?? new Set()).add(chunk.written))
  const code = own.filter(({ isCode }) => isCode)
  if (code.some((chunk) => written.get(chunk.core)?.has(chunk.written) === false)) return true
  // Code that has changed places: "Is `a` equal to `A`", "is `A` equal to `a`".
  const otherCode = others.filter(({ isCode }) => isCode)
  return (
    code.length === otherCode.length &&
    code.some(({ core, written: name }, at) => otherCode[at]?.core === core && otherCode[at].written !== name)
  )
}

function isCodeByMarks(chunk: string): boolean {
  return !ADDRESS.test(chunk) && !PRODUCTS.test(chunk) && CODE.some((pattern) => pattern.test(chunk))
}

/** Removes surrounding quotes and brackets, and final punctuation. */
function withoutSentence(chunk: string): string {
  const plain = withoutMarks(chunk.replace(/^["'“„”(]+/u, ''), MARKS)
  return plain.endsWith(')') && !plain.includes('(') ? withoutMarks(plain, `${MARKS})`) : plain
}

const MARKS = '"\'“”.,;:?!…'
