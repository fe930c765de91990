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
