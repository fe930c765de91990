import t from 'tap'
import { chunksOf } from '../../../src/domain/facts/code-marks.js'
import { factsDiffer } from '../../../src/domain/facts/fact-guard.js'

t.test('code is compared letter by letter, with its marks', async (t) => {
  for (const [a, b] of [
    ['What does parse() return?', 'What does Parse() return?'],
    ['What does sum(X) give?', 'What does sum(x) give?'],
    ['What does f2(X) give?', 'What does f2(x) give?'],
    ['What is in row[I]?', 'What is in row[i]?'],
    ['Why is `total` not `Total`?', 'Why is `Total` not `total`?'],
    ['What is `nil`?', 'What is `Nil`?'],
    ['What lies in ~/Music?', 'What lies in ~/music?'],
    ['What lies in /opt/App?', 'What lies in /opt/app?'],
    ['What lies in /2024/App?', 'What lies in /2024/app?'],
    ['What lies in ../App?', 'What lies in ../app?'],
    ['What lies in ./App?', 'What lies in ./app?'],
    ['What lies in C:\\Temp?', 'What lies in C:\\temp?'],
    ['Who sets MAX_SIZE?', 'Who sets max_size?'],
    ['What is _total?', 'What is total?'],
    ['What does !ok mean?', 'What does ok mean?'],
    ['What does ls -l show?', 'What does ls -L show?'],
    ['What is in $HOME?', 'What is in $home?'],
    ['Why is a==B here?', 'Why is a==b here?'],
    ['What is in Makefile.txt?', 'What is in makefile.txt?'],
    ['How many Kb does it take?', 'How many KB does it take?'],
    ['Wie viele Gb sind frei?', 'Wie viele GB sind frei?'],
    ['Was macht `Map`?', 'Was macht `map`?']
  ] as const) {
    t.not(factsDiffer(a, b), null, `${a} | ${b}`)
    t.not(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

t.test('prose is not, and code may stand in backticks or without', async (t) => {
  for (const [a, b] of [
    ['How do I charge my iPhone?', 'how do i charge my iphone?'],
    ['Where are my file(s)?', 'where are my File(s)?'],
    ['How do I install Node.js?', 'How do I install node.js?'],
    ['What does `parse()` return?', 'What does parse() return?'],
    ['What is in "Notes.md"?', 'What is in Notes.md?'],
    ['Mail Anna_K@example.com', 'Mail anna_k@example.com'],
    ['How many mb does it take?', 'How many MB does it take?'],
    ['What is in the log (Log)?', 'What is in the log (log)?']
  ] as const) {
    t.equal(factsDiffer(a, b), null, `${a} | ${b}`)
    t.equal(factsDiffer(b, a), null, `${b} | ${a}`)
  }
})

t.test('what belongs to the sentence is no part of a chunk', async (t) => {
  const code = (text: string) => chunksOf(text).flatMap(({ written, isCode }) => (isCode ? [written] : []))
  t.same(code('Is "foo()" (or ~/bar.txt) `a b`, a_b?! -- or (a.ts).'), ['foo()', '~/bar.txt', 'a', 'b', 'a_b', 'a.ts'])
  t.same(code('Wow!! e.g. this is 3/4 -5 _really_ well-known, see https://x.org/A and me@x_y.org'), [])
  t.same(code('_total __size __init__, not __a__b, _two_ or __bold_'), ['_total', '__size', '__init__'])
  t.same(chunksOf('?!? -- …'), [])
})
