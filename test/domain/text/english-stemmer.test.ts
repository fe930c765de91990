import fc from 'fast-check'
import t, { type Test } from 'tap'
import { baseForm } from '../../../src/domain/text/english-irregular.js'
import { stemEnglish } from '../../../src/domain/text/english-stemmer.js'

// From the sample vocabulary at snowballstem.org/algorithms/english/stemmer.html, and the cases its rules name.
const STEMS = {
  add: 'add',
  added: 'add',
  adding: 'add',
  egged: 'egg',
  consign: 'consign',
  consigned: 'consign',
  consigning: 'consign',
  consignment: 'consign',
  consist: 'consist',
  consisted: 'consist',
  consistency: 'consist',
  consistent: 'consist',
  consistently: 'consist',
  consolation: 'consol',
  consolatory: 'consolatori',
  consolidate: 'consolid',
  consolidated: 'consolid',
  consolingly: 'consol',
  constancy: 'constanc',
  knack: 'knack',
  knackeries: 'knackeri',
  knavery: 'knaveri',
  knaves: 'knave',
  knavish: 'knavish',
  kneaded: 'knead',
  kneel: 'kneel',
  kneeling: 'kneel',
  knees: 'knee',
  knightly: 'knight',
  knitting: 'knit',
  knives: 'knive',
  knocker: 'knocker',
  knotted: 'knot',
  caresses: 'caress',
  ties: 'tie',
  cries: 'cri',
  gas: 'gas',
  this: 'this',
  gaps: 'gap',
  kiwis: 'kiwi',
  abyss: 'abyss',
  luxuriated: 'luxuri',
  hopped: 'hop',
  hoped: 'hope',
  happy: 'happi',
  by: 'by',
  say: 'say',
  agreed: 'agre',
  generously: 'generous',
  communication: 'communic',
  skies: 'sky',
  dying: 'die',
  news: 'news',
  inning: 'inning',
  succeed: 'succeed',
  relational: 'relat',
  adoption: 'adopt',
  y: 'y',
  toy: 'toy',
  employer: 'employ',
  enjoyment: 'enjoy',
  annoyance: 'annoy'
}

t.test('an English word is brought to its published stem', async (t) => {
  for (const [word, stem] of Object.entries(STEMS)) t.equal(stemEnglish(word), stem, word)
})

/** Words with which M. F. Porter illustrates his steps ("An algorithm for suffix stripping", 1980), with their current stems. */
const ENDINGS =
  'relational relat, conditional condit, rational ration, valency valenc, hesitancy hesit, digitizer digit, ' +
  'conformably conform, radically radic, differently differ, vilely vile, analogously analog, ' +
  'vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis, ' +
  'hopefulness hope, callousness callous, formality formal, sensitivity sensit, sensibility sensibl, ' +
  'triplicate triplic, formative format, formalize formal, electricity electr, electrical electr, ' +
  'hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin, ' +
  'gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit, replacement replac, ' +
  'adjustment adjust, dependent depend, adoption adopt, activate activ, angularity angular, ' +
  'homologous homolog, effective effect, bowdlerize bowdler, apology apolog, hopefully hope, ' +
  'carelessly careless'

/** Checks stems. `pairs`: words, each with its stem. */
function holdToStems(t: Test, pairs: string): void {
  for (const pair of pairs.split(', ')) {
    const [word = '', stem = ''] = pair.split(' ')
    t.equal(stemEnglish(word), stem, word)
  }
}

t.test('each ending is taken off as the algorithm shows it', async (t) => {
  holdToStems(t, ENDINGS)
})

/** Exceptions that the algorithm lists. */
const EXCEPTIONS =
  'skis ski, skies sky, dying die, lying lie, tying tie, idly idl, gently gentl, ugly ugli, early earli, only onli, singly singl, ' +
  'sky sky, news news, howe howe, atlas atlas, cosmos cosmos, bias bias, andes andes, inning inning, outing outing, ' +
  'canning canning, herring herring, earring earring, proceed proceed, exceed exceed, succeed succeed'

t.test('what the algorithm lists by hand has the stem that it lists', async (t) => {
  holdToStems(t, EXCEPTIONS)
})

t.test('"eedly" is "eed" in a region behind the first syllable', async (t) => {
  t.equal(stemEnglish('agreedly'), stemEnglish('agreed'))
  t.equal(stemEnglish('feedly'), 'feed')
})

t.test('a word of another script or with digits stays as it is', async (t) => {
  for (const word of ['привет', '東京', 'café', 'a81f', 'naïve']) t.equal(stemEnglish(word), word)
})

t.test('a stem is never empty nor longer than its word by more than one letter, whatever the letters', async () => {
  const letter = fc.mapToConstant({ num: 26, build: (index) => String.fromCharCode(97 + index) })
  fc.assert(
    fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 14 }), (word) => {
      const stem = stemEnglish(word)
      return stem.length > 0 && stem.length <= word.length + 1 && stem === stem.toLowerCase()
    }),
    { numRuns: 2000 }
  )
})

t.test('an irregular form is brought to its base, any other word is left alone', async (t) => {
  const bases = { bought: 'buy', went: 'go', children: 'child', written: 'write' }
  for (const [form, base] of Object.entries(bases)) t.equal(baseForm(form), base)
  t.equal(baseForm('constructor'), 'constructor')
})
