/** Progress of a long command: a bar that fits the terminal, an occasional line elsewhere. Always on standard error. */
import { performance } from 'node:perf_hooks'

export interface Progress {
  /** `done` counts towards the total. */
  update(done: number): void
  /** Ends the bar's line. Idempotent. */
  end(): void
}

interface ProgressOptions {
  readonly label: string
  /** Undefined: unknown, and only the count is shown. */
  readonly total?: number
  /** Formats a count for display. Default: the number. */
  readonly format?: (count: number) => string
  readonly stream?: ProgressStream
}

interface ProgressStream {
  readonly isTTY?: boolean
  /** Width of a line in characters; undefined if unknown. */
  readonly columns?: number
  write(text: string): unknown
}

const BAR_WIDTH_MAX = 24

/** Milliseconds between two redraws: more often would not be visible. */
const DRAW_MS = 100

/** Percent between two lines without a terminal. */
const STEP = 25

/** Starts at 0. */
export function startProgress({ label, total, format = String, stream = process.stderr }: ProgressOptions): Progress {
  const isTerminal = stream.isTTY === true
  let drawnMs = Number.NEGATIVE_INFINITY
  let stepSaid = 0
  let done = 0
  let isOver = false

  /** Returns the line, cut to the terminal: a wrapped line would stay, and be drawn again below. The last column is left to the cursor. */
  function text(): string {
    const room = (stream.columns ?? Number.POSITIVE_INFINITY) - 1
    if (total === undefined) return `${label}  ${format(done)}`.slice(0, room)
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const [before, after] = [`${label}  `, `${String(Math.floor(share * 100)).padStart(3)}%  ${format(done)} of ${format(total)}`]
    const width = Math.max(0, Math.min(BAR_WIDTH_MAX, room - before.length - after.length - 2))
    const filled = Math.round(share * width)
    return `${before}${'█'.repeat(filled)}${'░'.repeat(width - filled)}${width === 0 ? '' : '  '}${after}`.slice(0, room)
  }
  function draw(): void {
    drawnMs = performance.now()
    // Returns to the start of the line, and erases the rest of a longer one.
    stream.write(`\r${text()}\u001b[K`)
  }
  function sayStep(): void {
    if (total === undefined || total === 0) return
    const percent = Math.floor((done / total) * 100)
    const step = percent - (percent % STEP)
    if (step <= stepSaid) return
    stepSaid = step
    stream.write(`${label}: ${String(step)}%, ${format(done)} of ${format(total)}\n`)
  }
  return {
    update(now) {
      done = now
      if (!isTerminal) sayStep()
      else if (performance.now() - drawnMs >= DRAW_MS) draw()
    },
    end() {
      if (isOver) return
      isOver = true
      if (!isTerminal) return
      draw()
      stream.write('\n')
    }
  }
}

/** Shows how many of `total` bytes `work` has done. */
export async function withByteProgress<Result>(
  label: string,
  total: number,
  work: (onProgress: (bytes: number) => void) => Promise<Result>
): Promise<Result> {
  const progress = startProgress({ label, total, format: formatBytes })
  try {
    return await work((bytes) => progress.update(bytes))
  } finally {
    progress.end()
  }
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Formats bytes in powers of 1,000: `22.9 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1)} ${UNITS[unit] ?? 'B'}`
}
