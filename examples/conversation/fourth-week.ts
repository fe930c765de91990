import type { Turn } from './turn.js'

export const fourthWeek: readonly Turn[] = [
  {
    topic: 'running',
    user: 'The knee is better. Which shoes do you recommend for 75 kilograms and asphalt?',
    assistant:
      "A neutral shoe with 8 millimetres of drop and medium cushioning. Buy it in the evening, a thumb's width longer than " +
      'your foot, and change between two pairs.'
  },
  {
    topic: 'running',
    user: 'What should I eat on the morning of the race?',
    assistant:
      'What you have tried before: three hours ahead, about 100 grams of carbohydrates such as white bread with honey, little ' +
      'fat, little fibre, and half a litre of water.'
  },
  {
    topic: 'running',
    user: 'How do I split the pace if I want to finish in under 1 hour 50?',
    assistant:
      'That is 5 minutes 12 a kilometre. Run the first three kilometres at 5:20, settle at 5:12, and keep what is left for ' +
      'the last five.'
  },
  {
    topic: 'running',
    kind: 'near miss',
    user: 'How do I split the pace if I want to finish in under 2 hours?',
    assistant:
      'That is 5 minutes 40 a kilometre. Start at 5:45, run evenly from the third kilometre on, and do not drink in the last ' + 'two.'
  },
  {
    topic: 'running',
    kind: 'repeat',
    user: 'How fast should the long runs be?',
    assistant: 'Slow enough for whole sentences, 60 to 90 seconds slower than race pace.'
  },
  {
    topic: 'database',
    user: 'Postgres once more: we want to move from version 13 to 16 with little downtime. Which way would you go?',
    assistant:
      'Logical replication: a new server with version 16, a publication for all tables, wait until the lag is zero, stop ' +
      'writes, copy the sequences, switch the service. The downtime is about a minute.'
  },
  {
    topic: 'database',
    user: 'Is logical replication enough as a backup?',
    assistant:
      'No. It repeats a mistaken DELETE within a second. Keep base backups and the write-ahead log, for example with ' +
      'pgBackRest, and restore one every month to see that it works.'
  },
  {
    topic: 'database',
    user: 'How large may the connection pool of four Node processes be if max_connections is 100?',
    assistant:
      'At most 20 each: four times 20 are 80, and the rest stays for migrations, monitoring and yourself. More than about ' +
      'twice the number of cores brings no throughput anyway.'
  },
  {
    topic: 'database',
    user: 'Why does the planner ignore my new index on created_at?',
    assistant:
      'Probably because the filter matches a large share of the rows, or because the statistics are old. Run ANALYZE orders, ' +
      'then compare the costs with enable_seqscan switched off in that session only.'
  },
  {
    topic: 'database',
    kind: 'repeat',
    user: 'Can I add a NOT NULL column to such a big table without locking it for several minutes?',
    assistant: 'Yes, with a constant default: since version 11 the table is not rewritten for it.'
  },
  {
    topic: 'tax',
    user: 'Noch einmal Steuer: Darf ich das Rennrad über den Arbeitgeber leasen?',
    assistant:
      'Ja, als Dienstrad mit Entgeltumwandlung. Du versteuerst 0,25 Prozent des Listenpreises im Monat als geldwerten ' +
      'Vorteil, und der Arbeitgeber behält die Rate vom Bruttolohn ein.'
  },
  {
    topic: 'tax',
    user: 'Lohnt sich das auch bei einem Listenpreis von 3.500 Euro?',
    assistant:
      'Meist ja: je nach Steuersatz 20 bis 35 Prozent Ersparnis gegenüber dem Kauf. Rechne den Restwert von etwa 18 Prozent ' +
      'und die Versicherung mit ein.'
  },
  {
    topic: 'tax',
    kind: 'repeat',
    user: 'Bis wann muss ich denn die Steuererklärung für 2024 abgeben?',
    assistant: 'Bis zum 31. Juli 2025, mit Beratung bis zum 30. April 2026.'
  },
  {
    topic: 'garden',
    user: 'Wann kommen die Tomaten im Herbst vom Balkon ins Haus?',
    assistant:
      'Sobald die Nächte unter zehn Grad fallen, meist Anfang Oktober. Grüne Früchte reifen in einer Papiertüte neben einem ' +
      'Apfel nach.'
  },
  {
    topic: 'renovation',
    user: 'The kitchen is done. The invoice says 14,870 euros, 870 over the budget. Do I have to pay all of it?',
    assistant:
      'Only what was agreed or approved. An estimate may be exceeded by 10 to 20 % without notice, a fixed price not at all. ' +
      'Ask for a list of the additional work and compare it with the signed offer.'
  },
  {
    topic: 'renovation',
    user: 'How do I care for the oiled oak on the island?',
    assistant:
      'Oil it thinly twice in the first month and then every half year, wipe spills at once, and never leave a wet pan on it. ' +
      'Sand stains lightly along the grain before oiling.'
  },
  {
    topic: 'renovation',
    kind: 'repeat',
    user: 'What should new tiles on the kitchen floor cost per square metre, laid?',
    assistant: 'As at the start: 30 to 60 euros for the tiles and 50 to 80 for laying them, per square metre.'
  },
  {
    topic: 'summary',
    user: 'Last thing: what have we still left open from the kitchen, the trip and the race?',
    assistant:
      'From the kitchen the 870 euros that went over the offer; from Lisbon the fado evening and the timed ticket for Belém; ' +
      'from the race the new shoes and a rehearsal of breakfast.'
  }
]
