import t from 'tap'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('everyday words that mean the same thing ask the same, in either order', async (t) => {
  for (const [a, b] of [
    ['Where do I park the truck?', 'Where do I park the lorry?'],
    ['How do I restart the router?', 'How do I reboot the router?'],
    ['Can I freeze eggplant?', 'Can I freeze aubergine?'],
    ['Wo finde ich einen Metzger?', 'Wo finde ich einen Fleischer?'],
    ['Wie lagere ich Möhren?', 'Wie lagere ich Karotten?'],
    ['Ist die Pflanze giftig?', 'Ist die Pflanze toxisch?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

t.test('everyday words of one field stay apart', async (t) => {
  for (const [a, b] of [
    ['Where do I park the truck?', 'Where do I park the motorbike?'],
    ['Can I freeze eggplant?', 'Can I freeze zucchini?'],
    ['What is my password?', 'What is my passcode?'],
    ['Do I rent the van?', 'Do I hire the driver?'],
    ['Wo finde ich einen Metzger?', 'Wo finde ich einen Tischler?'],
    ['Wie vermeide ich Streit?', 'Wie beende ich Streit?'],
    ['Wo ist mein Konto?', 'Wo ist mein Konzept?']
  ] as const)
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
})

t.test('a word that means another thing in a common sense stands for no other', async (t) => {
  for (const [a, b] of [
    ['When did Rita quit the choir?', 'When did Rita stop the choir?'],
    ['Was the rug raised?', 'Was the rug increased?'],
    ['Is the bench hard?', 'Is the bench difficult?'],
    ['Did they fix the price?', 'Did they repair the price?'],
    ['Who answered the bell?', 'Who responded the bell?'],
    ['Is Monday a holiday?', 'Is Monday a vacation?'],
    ['Who signed the bill?', 'Who signed the invoice?'],
    ['What does the study suggest?', 'What does the study recommend?'],
    ['Does the printer work normally?', 'Does the printer work usually?'],
    ['What happened to Ella?', 'What occurred to Ella?'],
    ['Ist der Rucksack leicht?', 'Ist der Rucksack einfach?'],
    ['Wann legt die Fähre an?', 'Wann erstellt die Fähre?'],
    ['Lebt der Hamster noch?', 'Wohnt der Hamster noch?'],
    ['Wo ist das Rad vom Karren?', 'Wo ist das Fahrrad vom Karren?'],
    ['Kommt etwa Tante Rosa?', 'Kommt ungefähr Tante Rosa?'],
    ['Wer kontrolliert die Firma?', 'Wer prüft die Firma?'],
    ['Wie groß ist mein Keyboard?', 'Wie groß ist meine Tastatur?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
    t.not(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

t.test('words that are one thing in every common sense are one', async (t) => {
  for (const [a, b] of [
    ['Who purchased the mill?', 'Who bought the mill?'],
    ['How do I mend the fence?', 'How do I repair the fence?'],
    ['When did the patient respond?', 'When did the patient reply?'],
    ['Which photograph is yours?', 'Which photo is yours?'],
    ['Is a helmet mandatory?', 'Is a helmet compulsory?'],
    ['Wo ist der Fahrstuhl?', 'Wo ist der Aufzug?'],
    ['Was kostet ein Fahrschein?', 'Was kostet eine Fahrkarte?'],
    ['Wie viele Gäste sind es circa?', 'Wie viele Gäste sind es ungefähr?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})
