import t from 'tap'
import { stemGerman } from '../../../src/domain/text/german-stemmer.js'

t.test('forms of a German word share a stem', async (t) => {
  const forms = { haus: 'häuser', passwort: 'passwörter', kind: 'kindern', frau: 'frauen', straße: 'strassen', tag: 'tages' }
  for (const [a, b] of Object.entries(forms)) t.equal(stemGerman(a), stemGerman(b), `${a} | ${b}`)
})

t.test('a short German word keeps its ending', async (t) => {
  for (const word of ['see', 'uhr', 'es']) t.equal(stemGerman(word), word)
})

t.test('an umlaut that is written out has the stem of the umlaut', async (t) => {
  for (const word of ['büro', 'häuser', 'fährt', 'übergabe', 'öl', 'köln'])
    t.equal(stemGerman(word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')), stemGerman(word), word)
  const others = { neue: 'neu', bauer: 'bau', quelle: 'quell', steuer: 'steu' }
  for (const [word, stem] of Object.entries(others)) t.equal(stemGerman(word), stem, word)
})
