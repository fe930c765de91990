/** Who does what to whom in German, by articles and prepositions: neither the verb nor the word order tells. */
import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'
import { hasOtherRoles } from '../../../src/domain/facts/german-roles.js'
import { readAtOnce } from '../../support/fact-reading.js'

/** Whether the texts differ, which must be the same in both directions. */
function areOther(a: string, b: string): boolean {
  const [one, other] = [readAtOnce(a), readAtOnce(b)]
  const found = hasOtherRoles(one, other)
  if (found !== hasOtherRoles(other, one)) throw new Error(`It depends on which comes first: ${a} | ${b}`)
  return found
}

const PLACES = 'in an auf hinter neben über unter vor zwischen'.split(' ')
const OTHERS = 'von nach aus zu bei mit für gegen ohne um durch seit bis als wie statt wegen gegenüber trotz'.split(' ')

t.test('an article tells who does it and to whom, wherever the noun stands', async (t) => {
  const articles = 'der den, dieser diesen, jeder jeden, welcher welchen, ein einen, kein keinen'
  const owners = 'mein meinen, dein deinen, sein seinen, ihr ihren, unser unseren, euer euren'
  for (const pair of `${articles}, ${owners}`.split(', ')) {
    const [subject = '', object = ''] = pair.split(' ')
    t.ok(areOther(`Heute sieht ${subject} Hund ${object} Kater`, `Heute sieht ${object} Hund ${subject} Kater`), pair)
    t.notOk(areOther(`Heute sieht ${subject} Hund ${object} Kater`, `Heute sieht ${object} Kater ${subject} Hund`), pair)
  }
})

t.test('an article tells the dative from the nominative and the accusative', async (t) => {
  const articles = 'die der, diese dieser, jede jeder, welche welcher, eine einer, keine keiner, meine meiner, eure eurer'
  for (const pair of articles.split(', ')) {
    const [subject = '', object = ''] = pair.split(' ')
    t.ok(areOther(`Heute hilft ${subject} Frau dem Kind`, `Heute hilft ${object} Frau das Kind`), pair)
  }
  for (const pair of ['das dem', 'dieses diesem', 'jedes jedem', 'welches welchem', 'ein einem', 'das des', 'ein eines']) {
    const [subject = '', object = ''] = pair.split(' ')
    t.ok(areOther(`Heute hilft ${subject} Kind dort und Ulm`, `Heute hilft ${object} Kind dort und Ulm`), pair)
  }
})

t.test('up to two adjectives stand between an article and its noun', async (t) => {
  t.ok(areOther('Heute sieht der kleine alte Hund Ulm', 'Heute sieht den kleinen alten Hund Ulm'))
  t.notOk(areOther('Heute sieht der kleine alte graue Hund Ulm', 'Heute sieht den kleinen alten grauen Hund Ulm'))
})

t.test('nouns that look alike as subject and as object are told apart by their order alone', async (t) => {
  t.ok(areOther('Heute kennt die Frau die Katze', 'Heute kennt die Katze die Frau'))
  t.notOk(areOther('Heute kennt die Frau die Katze', 'Heute kennt auch die Frau die Katze'))
})

t.test('what is equal to something may stand before or behind it', async (t) => {
  for (const verb of 'ist sind war waren bin bist heißt'.split(' ')) {
    t.notOk(areOther(`Die Farbe ${verb} das Grün`, `Das Grün ${verb} die Farbe`), verb)
  }
  t.ok(areOther('Die Farbe ist das Grün', 'Das Grün bedeutet die Farbe'))
  t.ok(areOther('Die Farbe bedeutet das Grün', 'Das Grün bedeutet die Farbe'))
})

t.test('another preposition is another role, and so is one that stands before another noun', async (t) => {
  for (const preposition of [...PLACES, ...OTHERS]) {
    t.ok(areOther(`Dort steht etwas ${preposition} der Kiste`, 'Dort steht etwas ab der Kiste'), preposition)
    t.ok(areOther(`Heute steht die Katze ${preposition} dem Haus`, `Heute steht das Haus ${preposition} der Katze`), preposition)
  }
  t.notOk(areOther('Heute gilt der Preis von der Karte', 'Heute gilt der Preis für die Karte'))
})

t.test('where is not whereto, behind the prepositions that say either', async (t) => {
  for (const preposition of [...PLACES, ...OTHERS]) {
    const isPlace = PLACES.includes(preposition)
    t.equal(areOther(`Heute geht es ${preposition} dem Haus`, `Heute geht es ${preposition} das Haus`), isPlace, preposition)
  }
})

t.test('what is named twice is not followed, nor what is alone, nor what is not German', async (t) => {
  t.notOk(areOther('Dort steht der Hund', 'Dort sehe ich den Hund'))
  t.notOk(areOther('Heute jagt der Hund den Hund mit dem Ball', 'Heute jagt der Ball den Hund mit dem Hund'))
  t.notOk(areOther('The dog bites the man', 'The man bites the dog'))
})

t.test('whose a thing is may not go over to another thing', async (t) => {
  for (const owner of 'mein dein sein ihr unser euer'.split(' ')) {
    t.ok(areOther(`Heute wäscht der Bruder ${owner} Auto`, `Heute wäscht ${owner} Bruder das Auto`), owner)
    t.notOk(areOther(`Heute steht ${owner} Auto neben dem Haus`, `Heute steht neben dem Haus ${owner} Auto`), owner)
  }
  t.ok(areOther('Heute wohnt der Vermieter in meinem Haus', 'Heute wohnt mein Vermieter im Haus'))
  t.notOk(areOther('Heute wohnt der Vermieter in meinem Haus', 'Heute wohnt der Vermieter im Haus'), 'an owner that is lost is a person')
})

/** Nouns cannot be told from verbs there. */
const IN_LOWER_CASE = `
ist anna älter als ben? | ist ben älter als anna?
wie komme ich von rom nach oslo? | wie komme ich von oslo nach rom?
kann ich den termin von montag auf freitag legen? | kann ich den termin von freitag auf montag legen?
was hat anna für ben gekauft? | was hat ben für anna gekauft?
sind katzen klüger als hunde? | sind hunde klüger als katzen?
hat der hund von anna die katze von ben gebissen? | hat der hund von ben die katze von anna gebissen?
welcher lehrer kennt den schüler? | welcher schüler kennt den lehrer?
ist redis schneller als postgres? | ist postgres schneller als redis?
`

const SAME_IN_LOWER_CASE = `
wie erstelle ich einen neuen branch in git? | wie erstelle ich in git einen neuen branch?
wann beginnt das semester? | ich wüsste gern, wann das semester beginnt
den hund hat der briefträger gesehen | der briefträger hat den hund gesehen
kommen anna und ben? | kommen ben und anna?
`

t.test('without capitals, things that have changed places are told apart by the words before them', async (t) => {
  const pairsOf = (lines: string): string[][] =>
    lines
      .trim()
      .split('\n')
      .map((line) => line.split(' | '))
  for (const [a = '', b = ''] of pairsOf(IN_LOWER_CASE)) t.not(factsDiffer(a, b), null, `${a} | ${b}`)
  for (const [a = '', b = ''] of pairsOf(SAME_IN_LOWER_CASE)) t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
})
