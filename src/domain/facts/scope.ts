/** Scope: to which word a function word or an attribute belongs, and in which clause a word stands. */
import type { Reading } from './words.js'

/** Function words that qualify the next content word. */
const SCOPED = new Set(
  (
    'only even also just all some most every each both many few who whom ' +
    'nur auch sogar alle allen aller manche jede jeder jedes jeden jedem viel erst zuerst dann danach'
  ).split(' ')
)

const ASKING = new Set(['who', 'whom'])
const ACTING = new Set('i you he she we they ich du er sie wir ihr'.split(' '))

/** Whether a qualifier belongs to another word: "Only adults may enter the room", "adults may enter only the room". */
export function hasOtherScope(a: Reading, b: Reading): boolean {
  return belongsElsewhere(scopesOf(a), scopesOf(b), b)
}

/** Whether a small word belongs to another stem in the other text, although its own stem occurs there too. */
function belongsElsewhere(
  own: ReadonlyMap<string, string | null>,
  others: ReadonlyMap<string, string | null>,
  { words }: Reading
): boolean {
  const stems = new Set(words.map(({ stem }) => stem))
  return [...own].some(([small, stem]) => {
    const other = others.get(small)
    return stem !== null && other != null && stem !== other && stems.has(stem)
  })
}

/** For each qualifier, the stem of the next content word; null for a qualifier that recurs. */
function scopesOf({ words }: Reading): Map<string, string | null> {
  const scopes = new Map<string, string | null>()
  let next = ''
  for (const [at, { text, stem, isStop }] of [...words.entries()].reverse()) {
    if (!isStop || ACTING.has(text)) next = stem
    else if (SCOPED.has(text) && (at > 0 || !ASKING.has(text))) scopes.set(text, scopes.has(text) ? null : next)
  }
  return scopes
}

const ACTED_ON = new Set('you him her it them me us'.split(' '))

/** Whether an object follows another verb: "I want you to pay", "I want to pay you". */
export function isActedOnOtherwise(a: Reading, b: Reading): boolean {
  return belongsElsewhere(actedOn(a), actedOn(b), b)
}

/** For each pronoun, the stem of the content word directly before it; null for a pronoun that recurs. */
function actedOn({ words }: Reading): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const [at, { text }] of words.entries()) {
    const verb = words[at - 1]
    if (!ACTED_ON.has(text) || verb === undefined || verb.isStop) continue
    found.set(text, found.has(text) ? null : verb.stem)
  }
  return found
}

/** Whether two things have exchanged the words directly before them: "2 adults and 3 children", "3 adults and 2 children". */
export function hasExchangedAttributes(a: Reading, b: Reading): boolean {
  const [own, other] = [neighboursOf(a), neighboursOf(b)]
  return [...own.after].some(([attribute, thing]) => {
    const exchanged = other.before.get(thing ?? '')
    if (thing === null || exchanged == null || exchanged === attribute) return false
    const otherThing = own.after.get(exchanged)
    return otherThing != null && otherThing !== thing && other.after.get(attribute) === otherThing
  })
}

/**
 * Whether a German noun has taken the attribute of another: "ist das neue Modell so schnell wie das alte", with "alte" and "neue"
 * exchanged.
 */
export function hasOtherAttributes(a: Reading, b: Reading): boolean {
  if (!a.isGerman || !b.isGerman) return false
  const [own, others] = [attributesOf(a), attributesOf(b)]
  const [stems, otherStems] = [a, b].map(({ words }) => new Set(words.map(({ stem }) => stem)))
  return [...own].some(([thing, attribute]) => {
    const other = others.get(thing)
    return other !== undefined && other !== attribute && otherStems?.has(attribute) === true && stems?.has(other) === true
  })
}

/** For each noun, by stem, the stem of the attribute directly before it. */
function attributesOf({ words, names }: Reading): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, { stem, written }] of words.entries()) {
    const before = words[at - 1]
    const isAttribute = before?.isStop === false && before.form === null && !before.isExact && !names.has(before.written)
    if (isAttribute && names.has(written)) found.set(stem, before.stem)
  }
  return found
}

interface Neighbours {
  /** For each stem, that of the next word and of the word before; null for a word that recurs. */
  readonly after: ReadonlyMap<string, string | null>
  readonly before: ReadonlyMap<string, string | null>
}

function neighboursOf({ words }: Reading): Neighbours {
  const after = new Map<string, string | null>()
  const before = new Map<string, string | null>()
  words.forEach((word, at) => {
    const next = words[at + 1]
    if (next === undefined || next.isStop || (word.isStop && !SCOPED.has(word.text))) return
    after.set(word.stem, after.has(word.stem) ? null : next.stem)
    before.set(next.stem, before.has(next.stem) ? null : word.stem)
  })
  return { after, before }
}

/** Conjunctions with their clause, up to the next punctuation. "als" is a comparison unless it begins a clause. */
const CONJUNCTION =
  /(?<!\p{L})(?:before|after|when|while|until|unless|if|because|although|then|afterwards|bevor|ehe|nachdem|wenn|während|bis|weil|obwohl|dann|danach|(?<=^|, )als)(?!\p{L})[^,.;:!?]*/iu

/** Whether one word moved into the clause and another out of it: "I eat before I wash", "I wash before I eat". */
export function hasOtherClauses(a: Reading, b: Reading): boolean {
  const [own, other] = [clausesOf(a), clausesOf(b)]
  if (own === null || other === null) return false
  const isMoved = (from: ReadonlySet<string>, to: ReadonlySet<string>): boolean => [...from].some((stem) => to.has(stem))
  return isMoved(own.inside, other.outside) && isMoved(own.outside, other.inside)
}

interface Clauses {
  readonly inside: ReadonlySet<string>
  readonly outside: ReadonlySet<string>
}

/** Stems of content words. Null if there is no such clause, or if it makes up the whole text. */
function clausesOf({ text, words }: Reading): Clauses | null {
  const found = CONJUNCTION.exec(text)
  if (found === null || !/\p{L}/u.test(text.slice(0, found.index) + text.slice(found.index + found[0].length))) return null
  const within = new Set(found[0].toLowerCase().match(/[\p{L}\p{N}]+/gu))
  const inside = new Set<string>()
  const outside = new Set<string>()
  for (const { isStop, written, stem } of words) if (!isStop) (within.has(written) ? inside : outside).add(stem)
  return { inside, outside }
}
