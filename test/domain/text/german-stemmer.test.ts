import t from 'tap'
import { stemGerman } from '../../../src/domain/text/german-stemmer.js'

t.test('forms of a German word share a stem', async (t) => {
  for (const [a, b] of [['haus', 'häuser'], ['passwort', 'passwörter'], ['kind', 'kindern'], ['frau', 'frauen'], ['straße', 'strassen'], ['tag', 'tages']] as const) {
    t.equal(stemGerman(a), stemGerman(b), `${a} | ${b}`)
  }
})

t.test('a short German word keeps its ending', async (t) => {
  for (const word of ['see', 'uhr', 'es']) t.equal(stemGerman(word), word)
})
