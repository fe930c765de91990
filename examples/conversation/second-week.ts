import type { Turn } from './turn.js'

export const secondWeek: readonly Turn[] = [
  {
    topic: 'lisbon',
    user: 'We are flying to Lisbon from 9 to 16 May with two children. Which quarter should we stay in?',
    assistant:
      "Campo de Ourique: flat by Lisbon's standards, with a market hall, playgrounds and the end of tram 28. Alfama is " +
      'prettier, but its stairs and a pushchair do not get along.'
  },
  {
    topic: 'lisbon',
    user: 'How do we get from the airport to Campo de Ourique in the evening?',
    assistant:
      "A taxi takes 20 minutes and costs about 15 euros, with luggage about 18. The metro runs until one o'clock, but you " +
      'would have to change to a bus at Rato with all your bags.'
  },
  {
    topic: 'lisbon',
    user: 'Is a day trip to Sintra worth it with small children?',
    assistant:
      'Yes, if you go early. Take the train from Rossio at eight, see Quinta da Regaleira with its grottoes first, and leave ' +
      'out the Pena palace in the afternoon: the queues are long there.'
  },
  {
    topic: 'lisbon',
    user: 'Which beach near Lisbon is good for children and can be reached by train?',
    assistant:
      'Carcavelos, 25 minutes by train from Cais do Sodré. The beach is wide, has lifeguards from May on, and there are ' +
      'showers and cafés next to the sand.'
  },
  {
    topic: 'lisbon',
    user: 'Do we need the Lisboa Card for a family of four?',
    assistant:
      'Only if you visit two museums a day. The children travel free up to four years of age, and with a Viva Viagem card ' +
      'each trip costs less than two euros.'
  },
  {
    topic: 'lisbon',
    kind: 'repeat',
    user: 'How do we get from the airport to Campo de Ourique late in the evening?',
    assistant: 'As said: a taxi, about 20 minutes and 15 to 18 euros; the metro would mean changing to a bus with all the luggage.'
  },
  {
    topic: 'tax',
    user: 'Kurze Frage zur Steuer: Bis wann muss ich die Steuererklärung für 2023 abgeben?',
    assistant:
      'Ohne Steuerberatung war die Frist für 2023 der 2. September 2024. Mit steuerlicher Beratung läuft sie bis zum 2. Juni ' + '2025.'
  },
  {
    topic: 'tax',
    kind: 'near miss',
    user: 'Bis wann muss ich die Steuererklärung für 2024 abgeben?',
    assistant: 'Für 2024 ist es ohne Beratung der 31. Juli 2025, mit Beratung der 30. April 2026.'
  },
  {
    topic: 'tax',
    user: 'Kann ich das Arbeitszimmer absetzen, wenn ich drei Tage in der Woche zu Hause arbeite?',
    assistant:
      'Die Tagespauschale geht immer: 6 Euro am Tag, höchstens 1.260 Euro im Jahr. Ein häusliches Arbeitszimmer zählt nur ' +
      'dann voll, wenn es der Mittelpunkt deiner Arbeit ist.'
  },
  {
    topic: 'tax',
    user: 'Welche Belege soll ich für die Handwerker in der Küche aufheben?',
    assistant:
      'Die Rechnungen mit ausgewiesenen Lohnkosten und die Überweisungsbelege. 20 Prozent der Lohnkosten, höchstens 1.200 ' +
      'Euro im Jahr, werden direkt von der Steuer abgezogen; bar bezahlte Rechnungen zählen nicht.'
  },
  {
    topic: 'database',
    user: 'Back to Postgres: we now see deadlocks between two workers that update orders and stock. How do we get rid of them?',
    assistant:
      'Let both take their locks in the same order: first the row in orders, then the rows in stock sorted by id. Where that ' +
      'is not possible, catch error 40P01 and retry the whole transaction with a random pause.'
  },
  {
    topic: 'database',
    user: 'What does SELECT ... FOR UPDATE SKIP LOCKED do for a job queue?',
    assistant:
      'Each worker takes the next row that nobody else holds, without waiting. Together with a status column and a short ' +
      'transaction that is a dependable queue of some thousand jobs a second.'
  },
  {
    topic: 'database',
    user: 'Should the session data go into a jsonb column or into a table of its own?',
    assistant:
      'Into its own table as soon as you filter or update single fields: a jsonb value is rewritten as a whole on each ' +
      'update. For settings that are only ever read together jsonb is fine.'
  },
  {
    topic: 'database',
    kind: 'repeat',
    user: 'Which index fits the table orders with 40 million rows when we filter by customer_id and created_at?',
    assistant: 'The same as before: a B-tree on (customer_id, created_at DESC), built CONCURRENTLY.'
  },
  {
    topic: 'database',
    kind: 'near miss',
    user: 'Which index fits the table invoices with 40 million rows when we filter by customer_id and created_at?',
    assistant:
      'For invoices I would check first whether most of them are closed: a partial index on (customer_id, created_at DESC) ' +
      "WHERE status = 'open' is then a tenth of the size."
  },
  {
    topic: 'running',
    user: 'I also want to run a half marathon on 12 October. I run 20 kilometres a week now. Is that realistic?',
    assistant:
      'Yes. Raise the weekly distance by at most ten per cent, with an easier week every fourth. By September you should be ' +
      'at 40 kilometres with one long run of 18.'
  },
  {
    topic: 'running',
    user: 'How fast should my long runs be?',
    assistant: 'Slow enough to talk in whole sentences, about 60 to 90 seconds a kilometre slower than your half marathon pace.'
  },
  {
    topic: 'running',
    user: 'My left knee hurts on the outside after an hour. What could that be?',
    assistant:
      'Often it is the iliotibial band. Shorten the stride, leave out downhill runs for two weeks and strengthen the hips. If ' +
      'it hurts at night or swells, see a doctor.'
  }
]
