/** The demo's rows and closing lines as text. */
import type { TurnResult } from './replay.js'
import type { Summary } from './summary.js'

export interface Look {
  /** Columns of the terminal. */
  readonly width: number
  readonly isColoured: boolean
}

type Paint = 'dim' | 'bold' | 'green' | 'yellow' | 'red'

/** SGR codes of ECMA-48. */
const CODES: Record<Paint, number> = { dim: 2, bold: 1, green: 32, yellow: 33, red: 31 }
const PHASE_PAINT = { stable: 'green', shifting: 'yellow', drifted: 'red' } as const
const BAR_CELLS = 10
/** Below this the message has no room beside the numbers. */
const MESSAGE_COLUMNS_MIN = 16

export function header(look: Look): string {
  const columns = ['turn', `  ${'drift'.padEnd(BAR_CELLS + 5)}`, 'is'.padEnd(8), 'phase'.padEnd(14), 'sc', 'hits', 'context of history']
  const line = `${columns.join(' ')}  message`
  return `${paint(clip(line, look.width), 'bold', look)}\n${paint('─'.repeat(Math.min(look.width, 140)), 'dim', look)}`
}

/** One turn. The mark before the bar is a change of topic, `↺` a short circuit, `·` a repeat that was missed, `✗` a false one. */
export function row(result: TurnResult, look: Look): string {
  const { answer, turn } = result
  const filled = Math.round(Math.min(1, Math.max(0, answer.drift_score)) * BAR_CELLS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled)
  const mark = shortCircuitMark(result)
  const cells: [text: string, paint: Paint | null][] = [
    [String(result.number).padStart(4), null],
    [result.isTopicChange ? '▸' : ' ', 'yellow'],
    [`${bar} ${answer.drift_score.toFixed(2)}`, PHASE_PAINT[answer.drift_phase]],
    [answer.drift_phase.padEnd(8), PHASE_PAINT[answer.drift_phase]],
    [answer.phase.padEnd(14), 'dim'],
    [mark.padEnd(2), mark === '✗' ? 'red' : 'green'],
    [String(result.hits).padStart(4), null],
    [`${counted(result.contextTokens).padStart(7)} of ${counted(result.historyTokens).padStart(7)}`, null]
  ]
  const used = cells.reduce((total, [text]) => total + text.length + 1, 1)
  const message = clip(turn.user, Math.max(MESSAGE_COLUMNS_MIN, look.width - used))
  return `${cells.map(([text, colour]) => (colour === null ? text : paint(text, colour, look))).join(' ')}  ${message}`
}

export function closing(summary: Summary, look: Look): string {
  const within = summary.turns - summary.topicChanges - 1
  const saving = 1 - summary.contextTokens / Math.max(1, summary.historyTokens)
  const lines: [string, string][] = [
    ['Turns', String(summary.turns)],
    [
      'Drift',
      `reported on ${summary.driftFound} of ${summary.topicChanges} changes of topic (${summary.shiftFound} at least shifting), ` +
        `and on ${summary.driftElsewhere} of ${within} turns within one`
    ],
    ['', `a change scores above an ordinary turn in ${percent(summary.driftRanking)} of all pairs`],
    [
      'Short circuits',
      `${summary.shortCircuitsRight} of ${summary.repeats} repeats, ${summary.shortCircuitsWrong} false; ` +
        `${summary.nearMissesRefused} of ${summary.nearMisses} near misses refused`
    ],
    [
      'Tokens',
      `${counted(summary.contextTokens)} of context instead of ${counted(summary.historyTokens)} of history: ${percent(saving)} saved ` +
        '(4 characters a token)'
    ],
    ['Latency of a run', `p50 ${summary.latencyP50Ms.toFixed(1)} ms, p95 ${summary.latencyP95Ms.toFixed(1)} ms over HTTP`]
  ]
  return lines.map(([name, text]) => `${paint(name.padEnd(18), 'bold', look)}${text}`).join('\n')
}

function shortCircuitMark({ answer, turn }: TurnResult): string {
  if (answer.short_circuit) return turn.kind === 'repeat' ? '↺' : '✗'
  return turn.kind === 'repeat' ? '·' : ' '
}

function paint(text: string, colour: Paint, { isColoured }: Look): string {
  return isColoured ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
}

function clip(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`
}

function counted(value: number): string {
  return value.toLocaleString('en-GB')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0.99 ? 1 : 0)} %`
}
