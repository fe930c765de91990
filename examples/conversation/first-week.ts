import type { Turn } from './turn.js'

export const firstWeek: readonly Turn[] = [
  {
    topic: 'renovation',
    user: 'We want to renovate our kitchen this spring. It is 11 square metres and the budget is 14,000 euros. Where should we start?',
    assistant:
      'Start with the things behind the walls: wiring, water and drainage. Keep about 15 % of the 14,000 euros as a reserve, ' +
      'measure all 11 square metres twice, and only then choose cabinets. An electrician should look at the fuse box before ' +
      'you order an induction hob.'
  },
  {
    topic: 'renovation',
    user: 'Which worktop holds up better next to the hob, oak or quartz?',
    assistant:
      'Quartz is denser and needs no oiling, but a pan straight from the hob can crack it. Oiled oak forgives heat marks ' +
      'because you can sand them out. With small children I would take quartz beside the hob and oak on the island.'
  },
  {
    topic: 'renovation',
    user: 'How wide does the passage between the island and the cabinets have to be?',
    assistant: 'Plan 105 centimetres if one person cooks and 120 if two do. Less than 90 and the dishwasher door blocks the way.'
  },
  {
    topic: 'renovation',
    user: 'The electrician says the kitchen needs its own circuit for the induction hob. Is that normal?',
    assistant:
      'Yes. An induction hob draws up to 7.4 kilowatts, so it gets its own three-phase circuit with 16 ampere fuses. Ask him ' +
      'to label it in the fuse box and to add a separate circuit for the oven.'
  },
  {
    topic: 'renovation',
    user: 'And what should new kitchen tiles on the floor cost per square metre, laid?',
    assistant:
      'Porcelain tiles cost 30 to 60 euros per square metre, and laying them another 50 to 80. For your 11 square metres that ' +
      'is roughly 900 to 1,500 euros, plus levelling compound.'
  },
  {
    topic: 'database',
    user:
      'Different subject: my Node service times out when it talks to Postgres under load. The pool has 10 connections. What ' +
      'should I look at first?',
    assistant:
      'Look at how long queries wait for a connection before you touch its size. Log pool.waitingCount, set ' +
      'connectionTimeoutMillis to 2000, and find transactions that stay open across an HTTP call: those are what usually ' +
      'drains a pool of 10.'
  },
  {
    topic: 'database',
    user: 'How do I see which queries in Postgres are slow?',
    assistant:
      'Enable pg_stat_statements, then order by total_exec_time. For a single query run EXPLAIN (ANALYZE, BUFFERS) and ' +
      'compare estimated with actual rows: a factor of a hundred means stale statistics.'
  },
  {
    topic: 'database',
    user: 'The table orders has 40 million rows and we filter by customer_id and created_at. Which index fits?',
    assistant:
      'A B-tree on (customer_id, created_at DESC). Equality column first, range column second. Build it with CREATE INDEX ' +
      'CONCURRENTLY, so that writes to orders go on meanwhile.'
  },
  {
    topic: 'database',
    user: 'Can I add a NOT NULL column to such a big table without locking it for minutes?',
    assistant:
      'Yes: since Postgres 11 a constant default is stored in the catalogue, so ADD COLUMN ... DEFAULT 0 NOT NULL does not ' +
      'rewrite the table. A volatile default still rewrites every row.'
  },
  {
    topic: 'database',
    kind: 'repeat',
    user: 'How do I see which queries are slow in Postgres?',
    assistant: 'As before: pg_stat_statements ordered by total_exec_time, then EXPLAIN (ANALYZE, BUFFERS) for the one you suspect.'
  },
  {
    topic: 'sourdough',
    user: 'Mein Sauerteig geht seit drei Tagen kaum auf. Ich füttere ihn einmal am Tag mit Roggenmehl. Was mache ich falsch?',
    assistant:
      'Vermutlich ist es ihm zu kalt. Ein junger Sauerteig mag 26 bis 28 Grad und zwei Fütterungen am Tag. Nimm 20 Gramm ' +
      'Ansatz, 50 Gramm Roggenmehl und 50 Gramm warmes Wasser und stell das Glas in den Ofen mit eingeschalteter Lampe.'
  },
  {
    topic: 'sourdough',
    user: 'Woran erkenne ich, dass der Sauerteig reif zum Backen ist?',
    assistant:
      'Er hat sich in vier bis sechs Stunden verdoppelt, die Oberfläche wölbt sich noch, und er riecht mild säuerlich. Ein ' +
      'Löffel davon schwimmt im Wasser.'
  },
  {
    topic: 'sourdough',
    user: 'Wie viel Salz kommt auf ein Kilo Mehl?',
    assistant:
      '20 Gramm, also zwei Prozent der Mehlmenge. Gib es erst nach der Ruhezeit des Teigs dazu, dann entwickelt sich das ' +
      'Klebergerüst leichter.'
  },
  {
    topic: 'sourdough',
    user: 'Und wie lange backe ich ein Brot von einem Kilo im gusseisernen Topf?',
    assistant: '25 Minuten mit Deckel bei 250 Grad und 25 Minuten ohne Deckel bei 220 Grad. Fertig ist es bei 96 Grad im Kern.'
  },
  {
    topic: 'security',
    user: 'Something else: how do I enable 2FA for my mail account?',
    assistant:
      'Open Settings, then Security, then Two-step verification, and choose an authenticator app instead of text messages. ' +
      'Scan the code, enter the six digits, and print the recovery codes.'
  },
  {
    topic: 'security',
    user: 'Where should I keep the recovery codes?',
    assistant:
      'On paper, in two places, for instance at home and with somebody you trust. Not in the same password manager that they ' +
      'are meant to rescue.'
  },
  {
    topic: 'security',
    kind: 'near miss',
    user: 'How do I disable 2FA for my mail account?',
    assistant:
      'Settings, Security, Two-step verification, Turn off. You are asked for a current code first, and all remembered ' +
      'devices are signed out. I would rather move it to a new device than turn it off.'
  },
  {
    topic: 'security',
    user: 'Is a passkey safer than a password with a code from an app?',
    assistant:
      'Yes, against phishing: a passkey answers only to the site it was made for, so a fake page gets nothing. Keep two, for ' +
      'example one on the phone and one on a hardware key.'
  },
  {
    topic: 'renovation',
    user: 'Back to the kitchen: the joiner offers matte lacquer or laminate fronts. What would you choose?',
    assistant:
      'Laminate, if fingerprints annoy you. It is harder, costs about a third less, and a damaged front can be reordered ' +
      'years later. Matte lacquer looks calmer but shows every scratch at the handles.'
  }
]
