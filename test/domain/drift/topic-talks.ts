/**
 * Talks of a person with an assistant, one topic each, written for these tests: question, answer, question, ...
 * Joined, the joints are topic shifts. They are worded as people ask, so most turns of a talk share few words.
 */
export interface Talk {
  readonly topic: string
  readonly exchanges: readonly (readonly [question: string, answer: string])[]
}

export const ENGLISH_TALKS: readonly Talk[] = [
  {
    topic: 'database indexes',
    exchanges: [
      ['How do I create an index in PostgreSQL?', 'Use CREATE INDEX with the table and the columns; the default type is a B-tree index.'],
      ['Which columns should get an index?', 'Columns that your queries filter or join on, and that select few rows of the table.'],
      [
        'Does a partial index make queries faster?',
        'Yes, when queries repeat its condition: a partial index is smaller than an index over the whole table.'
      ],
      [
        'Why is my query still doing a sequential scan?',
        'The planner expects to read most of the table, so the index would cost more than the scan.'
      ],
      [
        'How can I see which indexes are never used?',
        'Look at idx_scan in pg_stat_user_indexes: an index with 0 scans was not used by any query.'
      ],
      [
        'And how much do indexes slow down inserts?',
        'Every insert has to update each index of the table, so writes get slower with each one.'
      ],
      ['Should I rebuild a bloated index?', 'REINDEX CONCURRENTLY rebuilds the index without blocking queries on the table.']
    ]
  },
  {
    topic: 'cooking',
    exchanges: [
      ['What should I cook for dinner tonight?', 'How about a risotto with mushrooms? It takes half an hour.'],
      ['Do I need white wine for the risotto?', 'It helps the taste, but broth with a little lemon juice works as well.'],
      ['Which mushrooms taste best in it?', 'Porcini have the strongest taste, brown champignons are a good cheap choice.'],
      ['How do I keep the rice creamy?', 'Stir often, add the broth in small portions, and finish with cold butter and cheese.'],
      ['What dessert goes well with it?', 'Something fresh: lemon sorbet or berries with cream after the rich rice.'],
      ['Can I prepare the dessert the day before?', 'Yes, sorbet keeps in the freezer, and the cream can be whipped in the morning.']
    ]
  },
  {
    topic: 'trip to Japan',
    exchanges: [
      [
        'I want to travel to Japan in April, is that a good time?',
        'April is lovely: the cherry trees are in bloom, though Tokyo and Kyoto are crowded.'
      ],
      ['How many days should I spend in Kyoto?', 'Three or four days are enough for the temples and a day trip to Nara.'],
      ['Is the rail pass worth the price?', 'Only if you travel far between cities; single train tickets are often cheaper now.'],
      ['Do hotels in Tokyo get booked out early?', 'In cherry blossom season yes, book your hotel four months before the trip.'],
      ['Where can I see the cherry blossoms best?', 'Ueno Park in Tokyo, and the Philosopher’s Path in Kyoto.'],
      ['What does a temple visit cost?', 'Most temples in Kyoto ask for 400 to 600 yen.']
    ]
  },
  {
    topic: 'running',
    exchanges: [
      ['How should I train for my first half marathon?', 'Run three times a week and make the long run a little longer every weekend.'],
      ['How long should the longest run be?', 'About 18 kilometres, two weeks before the race.'],
      [
        'My knee hurts after long runs, what can I do?',
        'Rest it, run less for a week, and look at your shoes; see a doctor if the knee swells.'
      ],
      ['When do I need new running shoes?', 'After about 700 kilometres, when the sole no longer cushions the foot.'],
      ['What pace is realistic for the race?', 'Take your 10 kilometre pace and add twenty seconds per kilometre.'],
      ['Should I drink while running?', 'On runs over an hour, a few sips of water every twenty minutes.']
    ]
  },
  {
    topic: 'tax return',
    exchanges: [
      ['Can I deduct my home office from my taxes?', 'Yes, if the room is used for work only, or with the flat rate per day.'],
      [
        'What receipts does the tax office want to see?',
        'Keep the receipts for furniture, internet and equipment; they are asked for only in doubt.'
      ],
      ['When is the deadline for the tax return?', 'The end of July of the next year, later with a tax adviser.'],
      ['Is a new laptop deductible in one year?', 'Computers may be written off in the year you buy them.'],
      ['How do I report income from a rented flat?', 'In the annex for rental income, where you also deduct interest and repairs.'],
      ['What happens if I file too late?', 'The tax office may add a late filing penalty for each month.']
    ]
  },
  {
    topic: 'houseplants',
    exchanges: [
      ['Why are the leaves of my monstera turning yellow?', 'Most often it gets too much water; let the soil dry before watering again.'],
      ['How often should I water it in winter?', 'Every two weeks is plenty, the plant hardly grows in winter.'],
      ['Does it need a bigger pot?', 'When roots grow out of the bottom of the pot, repot it in spring.'],
      ['Which soil is best for repotting?', 'A loose soil with bark or perlite, so that the roots get air.'],
      [
        'There are tiny flies in the soil, how do I get rid of them?',
        'Those are fungus gnats: keep the soil dry and use yellow sticky traps.'
      ],
      ['Can the plant stand in direct sun?', 'Bright but indirect light is best, the sun of noon burns the leaves.']
    ]
  },
  {
    topic: 'job interview',
    exchanges: [
      [
        'I have a job interview next week, how do I prepare?',
        'Read about the company, practise short stories of your work, and prepare questions.'
      ],
      ['What questions do interviewers usually ask?', 'Why you want the job, your strengths, and a conflict that you solved.'],
      ['How do I answer the question about weaknesses?', 'Name a real weakness and what you do about it.'],
      ['Should I talk about salary in the first interview?', 'Wait until the interviewer asks, but know your number.'],
      ['What do I wear to the interview?', 'A little more formal than the company dresses on a normal day.'],
      ['How soon can I follow up after the interview?', 'Write a short thank-you note the next day.']
    ]
  },
  {
    topic: 'guitar',
    exchanges: [
      [
        'I just bought a guitar, which chords should I learn first?',
        'Begin with E minor, G, C and D: with four chords you can play many songs.'
      ],
      ['My fingers hurt from the strings, is that normal?', 'Yes, after three weeks of practice the fingertips harden.'],
      ['How do I switch between chords faster?', 'Practise two chords at a time, slowly, with a metronome.'],
      ['How often do I have to tune the guitar?', 'Every time you play, new strings go out of tune quickly.'],
      ['Which songs are easy for beginners?', 'Horse With No Name needs two chords only.'],
      ['When should I replace the strings?', 'When they sound dull, about every three months of playing.']
    ]
  }
]
