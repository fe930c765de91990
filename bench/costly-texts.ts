/** Texts designed to be expensive: each kind targets one piece of text processing in the service. */

/** Returns seeded whole numbers in [0, below) (mulberry32). */
export type Chance = (below: number) => number

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000) * below)
  }
}

type Text = (length: number, chance: Chance) => string

const repeated =
  (piece: string): Text =>
  (length) =>
    piece.repeat(Math.ceil(length / piece.length))

/** Generates pieces until the text is long enough. */
const made =
  (piece: (chance: Chance, at: number) => string): Text =>
  (length, chance) => {
    const pieces: string[] = []
    for (let total = 0, at = 0; total < length; at++) {
      const next = piece(chance, at)
      pieces.push(next)
      total += next.length
    }
    return pieces.join('')
  }

/** Characters that patterns look for: letters, digits, brackets, quotes, marks and spaces. */
const CHARACTERS = [...Array.from('aZß1,.:;/\\-–+*_~>|<@#?!()[]{}"\'„“«» \t\n\u0301\u200e'), 'May', 'pm', ' on ', 'http://', 'eyJ']

/** Repeated rows of a few characters: the worst case of a pattern that can split a text in many ways. */
const rowsOf =
  (rows: number): Text =>
  (length, chance) =>
    Array.from({ length: rows }, () => {
      const unit = Array.from({ length: 1 + chance(4) }, () => CHARACTERS[chance(CHARACTERS.length)]).join('')
      return unit.repeat(Math.ceil(length / rows / unit.length))
    }).join('')

const wordOf = (number: number): string => `w${number.toString(36)}er`

export const COSTLY_TEXTS: Readonly<Record<string, Text>> = {
  'distinct words': made((chance) => `${wordOf(chance(2 ** 31))} `),
  'usual words': made((chance) => `${wordOf(chance(500))} `),
  'words of one beginning': made((chance) => `aaaa${wordOf(chance(2 ** 31)).replaceAll(/\d/g, 'q')} `),
  'beginnings of one word': made((_, at) => `${'ab'.repeat(2 + (at % 30))} `),
  'forms of one stem': made((chance) => `${Array.from('cafeteria', (letter) => letter + (chance(2) === 0 ? '' : '\u0301')).join('')}s `),
  'one long word': repeated('a'),
  'one letter but for another': (length) => `ab${'a'.repeat(length)}`,
  'one mark of several primes but for a letter': (length) => `\u2057x${'\u2057'.repeat(length)}`,
  'marks of several primes': repeated('\u2057'),
  'a row of y': repeated('y'),
  'a row of capitals and small letters': repeated('aB'),
  numbers: made((chance) => `${String(chance(1e9))}.${String(chance(99))} kg, `),
  'a number without end': repeated('1,'),
  versions: repeated('1.1'),
  negations: repeated('not '),
  contractions: repeated("can't've "),
  'contractions of contractions': (length) => `a${"n't".repeat(length / 3)}`,
  'owners of owners': (length) => `a${"'s".repeat(length / 2)}`,
  quotations: made((_, at) => `"${String(at)}" `),
  'openings of quotations': repeated('„“«‘`"'),
  'openings of one quotation': repeated('„'),
  'times of a speaker': (length) => `${'1,'.repeat(70)}x ${'Ann [13:56] '.repeat(length / 12)}`,
  'a row of anything': rowsOf(1),
  'three rows of anything': rowsOf(3),
  'hundreds of rows of anything': rowsOf(800),
  names: made((chance) => `in ${wordOf(chance(2 ** 31)).toUpperCase()}, `),
  persons: repeated('he tells me that she told us '),
  relations: repeated('before after if unless not more than '),
  questions: made((_, at) => `What is it ${String(at)}? `),
  'statements that end in a question': (length) => `${'Is it. '.repeat(length / 7)}?`,
  greetings: repeated('hi, hello, please '),
  frames: repeated('could you please tell me how would i know what is the best way to '),
  'short sentences': repeated('A. '),
  'full stops': repeated('. '),
  'marks of sentences': repeated('?!"'),
  lines: repeated('\n'),
  'empty lines': repeated('\n '),
  spaces: (length) => `a${' '.repeat(length)}b`,
  brackets: (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'a nested list': (length) => '{"a":['.repeat(length / 6),
  'a log': made(
    (chance, at) =>
      `2024-05-${String(1 + (at % 28))} 12:${String(chance(60))}:01 INFO worker-${String(chance(20))} "job ${String(at)}" took ${String(chance(999))} ms\n`
  ),
  paths: repeated('/usr/lib/node_modules/a-b_c.d@1.2/'),
  hyphens: repeated('a-'),
  underscores: repeated('_a'),
  'plus signs': repeated('c++ '),
  German: repeated('Überwachungsaufgaben der Häuser sind nicht zurück '),
  'Thai without spaces': repeated('ก'),
  'Chinese without spaces': made((chance) => String.fromCodePoint(0x4e00 + chance(20_000))),
  'one phrase for a letter': repeated('\ufdfa'),
  'rows of combining marks': (length) => `a${'\u0301\u0316'.repeat(length / 2)}`,
  'marks that are none yet': repeated('\u0338\uff9e'),
  emoji: repeated('😀'),
  'families of emoji': repeated('👨‍👩‍👧‍👦'),
  'Hangul in pieces': repeated('\u1112\u1161\u11ab'),
  'right to left': repeated('\u202eabc ')
}

/** Near-duplicates: texts that differ only in a number, so that each has to be compared with all others. */
export function nearTwin(at: number, length: number): string {
  return `${'The server of the blue house restarted because of a fault in its disk. '.repeat(Math.ceil(length / 71))}It was number ${String(at)}.`
}
