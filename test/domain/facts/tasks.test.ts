import t from 'tap'
import { isTask } from '../../../src/domain/facts/tasks.js'

/** Requests to do or create something, each with a text that only asks for information; they differ in mood, verb or object. */
const PAIRS: readonly (readonly [deed: string, answer: string])[] = [
  ['Put jam on the list.', 'Name the jams on the list.'],
  ['Cancel the gym contract.', 'How do I cancel the gym contract?'],
  ['Tell me another riddle.', 'Tell me what a riddle is.'],
  ['Tell me a riddle.', 'Tell me the answer of the riddle.'],
  ['Tell Ruth that I am late.', 'Tell me about Ruth.'],
  ['Show me another proof.', 'Show me the proof.'],
  ['Give Ruth the map.', 'Give me the scale of the map.'],
  ['Remind me to prune the roses.', 'Remind me how to prune the roses.'],
  ['Help me write a letter.', 'Help me understand the letter.'],
  ['Could you print the ticket?', 'Could you explain the ticket?'],
  ['Can you close the window?', 'Can you freeze cheese?'],
  ['Can you put the iron away?', 'Can you put iron in a dishwasher?'],
  ['I would like you to call the vet.', 'I would like to know when the vet opens.'],
  ['Would you mind watering the ferns?', 'Would you mind telling me what ferns need?'],
  ["Don't touch the thermostat.", 'What does the thermostat show?'],
  ['Assemble the shelf.', 'Weather this weekend'],
  ['Rinse my boots.', 'Vitamin A deficiency'],
  ['When the cake is done, switch the oven off.', 'When the cake is done, what do I do?'],
  ['The build is red. Restart it.', 'The build is red. Why is that?'],
  ['Let us play chess.', 'Let me know when chess was invented.'],
  ['Setz Senf auf die Liste.', 'Nenne die Senfsorten.'],
  ['Erzähl mir noch ein Märchen.', 'Erzähl mir, wie das Märchen endet.'],
  ['Erzähl mir ein Märchen.', 'Erzähl mir etwas über Märchen.'],
  ['Gib mir ein anderes Beispiel.', 'Gib mir das Beispiel.'],
  ['Sag Ruth, dass ich komme.', 'Sag mir, wann Ruth kommt.'],
  ['Erinnere mich an den Termin.', 'Erinnere mich, wann der Termin ist.'],
  ['Kannst du mir das Fenster öffnen?', 'Kannst du mir das Fenster beschreiben?'],
  ['Könnten Sie die Rechnung drucken?', 'Können Sie mir sagen, was auf der Rechnung steht?'],
  ['Senden Sie den Bericht.', 'Senden Sie den Bericht noch?'],
  ['Poliere den Tisch.', 'Preis der Tische'],
  ['Ich hätte gern noch einen Witz.', 'Ich wüsste gern, was ein Witz ist.'],
  ['Lass uns spielen.', 'Lass mich wissen, was gespielt wird.'],
  ['Ajoute du sel à la liste.', 'Explique-moi le sel.'],
  ['Raconte-moi une autre histoire.', 'Raconte-moi quoi ?'],
  ['Peux-tu fermer la porte ?', 'Peux-tu expliquer la porte ?'],
  ['Cuéntame otro chiste.', '¿Qué es un chiste?'],
  ['Prenota un tavolo.', 'Dimmi il prezzo del tavolo.']
]

t.test('what is to be done or made anew is a task, and what is to be told is none', async (t) => {
  for (const [deed, answer] of PAIRS) {
    t.ok(isTask(deed), deed)
    t.notOk(isTask(answer), answer)
  }
})

t.test('a statement, and what names a matter alone, is no task', async (t) => {
  for (const text of ['Sold the car.', 'Opening the account', 'price of a day ticket', 'Morgen fahre ich nach Ulm.', 'Öffnungszeiten', ''])
    t.notOk(isTask(text), text)
})

t.test('a long text is read at its start alone, and one that asks behind it is no task', async (t) => {
  const log = 'Look, the line says nothing. '.repeat(2_000)
  t.notOk(isTask(`Restart the server. ${log} Why did it stop?`))
  t.ok(isTask(`Restart the server. ${'It says nothing. '.repeat(40)}`))
})
