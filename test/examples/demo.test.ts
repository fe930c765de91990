import t from 'tap'
import { month } from '../../examples/conversation/month.js'
import type { Turn } from '../../examples/conversation/turn.js'
import type { RunAnswer, TurnResult } from '../../examples/demo/replay.js'
import { summarise } from '../../examples/demo/summary.js'
import { closing, header, row } from '../../examples/demo/table.js'

type Changes = { turn?: Partial<Turn>; answer?: Partial<RunAnswer> } & Partial<Omit<TurnResult, 'turn' | 'answer'>>

function result(number: number, changes: Changes): TurnResult {
  return {
    number,
    isTopicChange: false,
    latencyMs: number,
    hits: 3,
    contextTokens: 10,
    historyTokens: 100,
    ...changes,
    turn: { topic: 'garden', user: 'Wie oft muss ich die Tomaten gießen?', assistant: 'Jeden Morgen.', ...changes.turn },
    answer: {
      context: '',
      short_circuit: false,
      drift_score: 0.1,
      drift_detected: false,
      drift_phase: 'stable',
      phase: 'exploration',
      ...changes.answer
    }
  }
}

t.test('conversation: the example, long enough and of the promised mix', async (t) => {
  t.ok(month.length >= 60)
  const german = month.filter(({ topic }) => ['sourdough', 'tax', 'garden'].includes(topic)).length / month.length
  t.ok(german > 0.2 && german < 0.3, `${german} in German`)
  t.ok(month.filter(({ kind }) => kind === 'repeat').length >= 10)
  t.ok(month.filter(({ kind }) => kind === 'near miss').length >= 5)
})

t.test('summary: drift, short circuits, tokens and latency, counted by hand', async (t) => {
  const summary = summarise([
    result(1, { answer: { drift_score: 0 } }),
    result(2, { isTopicChange: true, answer: { drift_score: 0.7, drift_detected: true, drift_phase: 'drifted' } }),
    result(3, { answer: { drift_score: 0.7, drift_detected: true, drift_phase: 'drifted', short_circuit: true } }),
    result(4, { turn: { kind: 'repeat' }, answer: { drift_score: 0.2, short_circuit: true } }),
    result(5, { turn: { kind: 'near miss' }, isTopicChange: true, answer: { drift_score: 0.4, drift_phase: 'shifting' } })
  ])
  t.match(summary, { turns: 5, topicChanges: 2, driftFound: 1, shiftFound: 2, driftElsewhere: 1 })
  t.equal(summary.driftRanking, 0.625, 'of the pairs (.7, .7) half, (.7, .2) one, (.4, .7) none, (.4, .2) one')
  t.match(summary, { repeats: 1, shortCircuitsRight: 1, shortCircuitsWrong: 1, nearMisses: 1, nearMissesRefused: 1 })
  t.match(summary, { contextTokens: 50, historyTokens: 500, latencyP50Ms: 3, latencyP95Ms: 5 })
})

t.test('table: any width, no line wider than the terminal or than the numbers need', async (t) => {
  const turn = { user: 'word '.repeat(80) }
  for (const width of [100, 120, 200]) {
    const look = { width, isColoured: false }
    t.ok(row(result(7, { turn }), look).length <= width, `row at ${width}`)
    t.ok(
      Math.max(
        ...header(look)
          .split('\n')
          .map((line) => line.length)
      ) <= width,
      `header at ${width}`
    )
  }
})

t.test('table: header, its message column above the messages', async (t) => {
  const look = { width: 160, isColoured: false }
  t.equal(header(look).indexOf('message'), row(result(1, {}), look).indexOf('Wie oft'))
})

t.test('table: without colour, not a single escape sequence', async (t) => {
  const look = { width: 120, isColoured: false }
  const text = [header(look), row(result(1, {}), look), closing(summarise([result(1, {})]), look)].join('\n')
  t.notMatch(text, '\u001b')
  t.match(row(result(1, {}), { ...look, isColoured: true }), '\u001b[32m')
})

t.test('table: marks for a short circuit that is right, false, or missed', async (t) => {
  const look = { width: 120, isColoured: false }
  t.match(row(result(1, { turn: { kind: 'repeat' }, answer: { short_circuit: true } }), look), '↺')
  t.match(row(result(1, { answer: { short_circuit: true } }), look), '✗')
  t.match(row(result(1, { turn: { kind: 'repeat' } }), look), '·')
})
