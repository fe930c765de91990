import t from 'tap'
import { verbForm } from '../../../src/domain/facts/german-verbs.js'

const FORMS: Readonly<Record<string, readonly string[]>> = {
  wohn: ['wohnt present', 'wohne present', 'wohnen present', 'wohnte past', 'wohnten past', 'gewohnt participle'],
  arbeit: ['arbeitet present', 'arbeiten present', 'arbeitete past', 'gearbeitet participle'],
  kost: ['kostet present', 'kosten present', 'kostete past'],
  öffn: ['öffnet present', 'öffnete past', 'geöffnet participle'],
  schreib: ['schreibt present', 'schrieb past', 'schrieben past', 'geschrieben participle'],
  fahr: ['fährt present', 'fuhr past', 'gefahren participle'],
  beschreib: ['beschreibt present', 'beschrieb past', 'beschrieben participle'],
  zurücksetz: ['zurücksetzt present', 'zurücksetzen present', 'zurückzusetzen present', 'zurücksetzte past', 'zurückgesetzt participle'],
  anruf: ['anrufe present', 'anzurufen present', 'anrief past', 'angerufen participle'],
  samml: ['sammelt present', 'sammeln present', 'sammle present', 'gesammelt participle'],
  spiel: ['spielt present', 'spielen present', 'gespielt participle'],
  buch: ['bucht present', 'buchte past', 'gebucht participle'],
  geb: ['gebt present', 'geben present', 'gebe present'],
  geh: ['geht present', 'gehen present', 'gehe present'],
  reis: ['reist present', 'reiste past', 'gereist participle'],
  antwort: ['antwortet present', 'antworte present', 'antwortete past']
}

t.test('a German verb has one lemma in all its forms, and the time that each says', async (t) => {
  for (const [lemma, forms] of Object.entries(FORMS)) {
    for (const form of forms) {
      const [word = '', time] = form.split(' ')
      t.same(verbForm(word), { lemma, time }, word)
    }
  }
})

t.test('an adjective is no form of a verb, nor is what has been done to a thing', async (t) => {
  for (const word of ['kalt', 'kalte', 'alten', 'gute', 'gekochte', 'eingekauften', 'oft']) t.equal(verbForm(word), null, word)
})
