import type { Turn } from './turn.js'

export const thirdWeek: readonly Turn[] = [
  {
    topic: 'garden',
    user: 'Auf unserem Südbalkon sollen Tomaten wachsen. Welche Sorte eignet sich für Töpfe?',
    assistant:
      'Buschtomaten wie Balkonstar oder Tumbling Tom. Sie werden nur 40 bis 60 Zentimeter hoch und müssen nicht ausgegeizt ' +
      'werden. Ein Topf mit 15 Litern je Pflanze reicht.'
  },
  {
    topic: 'garden',
    user: 'Wie oft muss ich die Tomaten im Hochsommer gießen?',
    assistant:
      'Jeden Morgen, an heißen Tagen auch abends, etwa zwei Liter je Topf. Gieß an die Erde und nicht auf die Blätter, sonst ' +
      'kommt die Krautfäule.'
  },
  {
    topic: 'garden',
    user: 'Die unteren Blätter der Tomaten werden gelb. Fehlt Dünger?',
    assistant:
      'Wahrscheinlich Stickstoff oder Magnesium. Dünge alle zwei Wochen mit flüssigem Tomatendünger und entferne die gelben ' +
      'Blätter, damit die Pflanze trocken bleibt.'
  },
  {
    topic: 'garden',
    kind: 'repeat',
    user: 'Wie oft muss ich im Hochsommer die Tomaten gießen?',
    assistant: 'Wie gesagt: jeden Morgen rund zwei Liter je Topf, bei Hitze auch abends.'
  },
  {
    topic: 'renovation',
    user: 'The kitchen floor: under the old linoleum there is black adhesive. Can we simply tile over it?',
    assistant:
      'Not before it has been tested. Black adhesive from before 1990 can contain asbestos or tar. A laboratory test costs ' +
      'about 60 euros and takes a week; do not sand or scrape anything until then.'
  },
  {
    topic: 'renovation',
    user: 'The laboratory found no asbestos. What comes next for the floor?',
    assistant:
      'Remove loose remains, prime the floor, pour levelling compound of at least three millimetres and let it dry for a day ' +
      'per millimetre. Then the tiles can be laid on flexible adhesive.'
  },
  {
    topic: 'renovation',
    kind: 'repeat',
    user: 'How wide does the passage between island and cabinets have to be?',
    assistant: 'Still 105 centimetres for one cook and 120 for two.'
  },
  {
    topic: 'renovation',
    kind: 'near miss',
    user: 'How high does the gap between the worktop and the wall cabinets have to be?',
    assistant: '50 to 60 centimetres, and 65 above the hob if the extractor hood is mounted on the wall.'
  },
  {
    topic: 'renovation',
    user: 'Can we live in the flat while the kitchen is being renovated?',
    assistant:
      'Yes, with a makeshift kitchen: fridge, kettle and a single hob plate in the hall, and dishes washed in the bath. Seal ' +
      'the door with a dust curtain and plan two nights elsewhere for the floor.'
  },
  {
    topic: 'lisbon',
    user: 'Lisbon again: my mother-in-law comes along and does not walk well. What can we do on the day in Belém?',
    assistant:
      'Take tram 15 to the monastery, book a timed ticket and use the side entrance with the ramp. The riverside from there ' +
      'to the tower is flat, and there are benches every hundred metres.'
  },
  {
    topic: 'lisbon',
    user: 'Where do we find good pastéis de nata without a queue of an hour?',
    assistant: 'Manteigaria at Chiado or in the Time Out Market. They bake all day, and a bell rings when a tray comes out of the oven.'
  },
  {
    topic: 'lisbon',
    kind: 'repeat',
    user: 'Is the Lisboa Card worth it for a family of four?',
    assistant: 'Only with two museums a day; otherwise the rechargeable card is cheaper.'
  },
  {
    topic: 'lisbon',
    user: 'We would like to hear fado one evening. Is that possible with the children?',
    assistant:
      'Yes, early: some houses in Mouraria play at seven for an hour, without dinner. Ask for a table near the door in case ' +
      'the little one falls asleep.'
  },
  {
    topic: 'security',
    user: 'My old phone was stolen, and the authenticator app was on it. What should I do now?',
    assistant:
      'Sign in with a recovery code, remove the stolen phone from the list of trusted devices, set up the app again on the ' +
      'new phone and print new recovery codes. Then lock and erase the old one remotely.'
  },
  {
    topic: 'security',
    user: "How do I recognise a phishing mail that looks just like my bank's?",
    assistant:
      "By where its links lead, not by how it looks. Never use the link: open the bank's page yourself. Urgency, attachments " +
      'and a request for a code are the usual signs.'
  },
  {
    topic: 'security',
    kind: 'repeat',
    user: 'How can I enable 2FA for my mail account?',
    assistant: 'Settings, Security, Two-step verification, then the authenticator app, as we did last week.'
  },
  {
    topic: 'security',
    user: 'How long should the master password of a password manager be?',
    assistant:
      'Five or six random words are enough: about 65 to 77 bits. Write it down once, put the paper away safely, and never use ' +
      'it anywhere else.'
  },
  {
    topic: 'sourdough',
    user: 'Zurück zum Brot: Der Teig ist mir beim Formen auseinandergelaufen. War zu viel Wasser darin?',
    assistant:
      'Bei 75 Prozent Wasser braucht er mehr Spannung. Dehne und falte ihn in den ersten zwei Stunden viermal und gib ihn ' +
      'über Nacht bei fünf Grad in den Kühlschrank; kalt lässt er sich leichter formen.'
  },
  {
    topic: 'sourdough',
    kind: 'repeat',
    user: 'Wie viel Salz kommt auf ein Kilo Mehl?',
    assistant: '20 Gramm, zwei Prozent der Mehlmenge.'
  },
  {
    topic: 'sourdough',
    kind: 'near miss',
    user: 'Wie viel Wasser kommt auf ein Kilo Mehl?',
    assistant: 'Für den Anfang 680 Milliliter. Bei Roggenmehl dürfen es 750 sein, bei hellem Weizenmehl eher 650.'
  }
]
