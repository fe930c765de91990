/**
 * How smoothly the debugger's page renders 10,000 listed sessions and 200 events a second in a headless Chromium. A server in this program
 * replaces the service, so that only the page is measured. Prints frame times and stalls of the page.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { buildDebugPage } from '../src/tools/debug-page-build.js'

const SESSIONS = 10_000
const SHOWN_IN_GRAPH = 200
const EVENTS_A_SECOND = 200
const MEASURED_MS = 10_000

const FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/v1/debug/page.js': 'page.js',
  '/v1/debug/day-plot.js': 'day-plot.js',
  '/v1/debug/page.css': 'page.css'
}
const TYPES: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' }

const METRICS = {
  total_memories: 1,
  interaction_count: 1,
  drift_phase: 'stable',
  drift_score: 0,
  phase: 'stability',
  short_circuits: 0,
  isolation: { level: 'OPEN', quarantined_count: 0 },
  model_name: 'any'
}

let told = 0
const folder = await mkdtemp(join(tmpdir(), 'debug-page-bench-'))
await buildDebugPage(folder)
const streams = new Set<ServerResponse>()
const server = createServer((request, response) => void answer(request.url ?? '/', response))
server.listen(0, '127.0.0.1')
const telling = setInterval(tell, 1_000 / (EVENTS_A_SECOND / 4))
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`)
  await page.getByLabel('Token', { exact: true }).fill('any')
  await page.keyboard.press('Enter')
  await page.getByText(`${SESSIONS + 1} of ${SESSIONS + 1}`).waitFor()
  await page.locator('[data-part="session:s00001"]').click()
  report('at rest, one session open', await measure())
  await page.locator('.rows').focus()
  const scrolling = setInterval(() => void page.keyboard.press('PageDown').catch(() => undefined), 100)
  report('going through the list', await measure())
  clearInterval(scrolling)

  async function measure(): Promise<{ readonly frames: readonly number[]; readonly stood: readonly number[] }> {
    return page.evaluate(`new Promise((resolve) => {
      const frames = [], stood = []
      new PerformanceObserver((list) => stood.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] })
      const begun = performance.now()
      let last = begun
      const step = (now) => {
        frames.push(now - last)
        last = now
        if (now - begun < ${MEASURED_MS}) requestAnimationFrame(step)
        else resolve({ frames: frames.slice(1), stood })
      }
      requestAnimationFrame(step)
    })`)
  }
} finally {
  clearInterval(telling)
  await browser.close()
  for (const stream of streams) stream.destroy()
  server.close()
  await rm(folder, { recursive: true, force: true })
}

function report(what: string, { frames, stood }: { readonly frames: readonly number[]; readonly stood: readonly number[] }): void {
  const sorted = [...frames].sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
  const rate = ((1_000 * frames.length) / frames.reduce((sum, frame) => sum + frame, 0)).toFixed(1)
  console.log(
    `${what}: ${rate} frames/s; a frame p50 ${at(0.5)} ms, p95 ${at(0.95)}, p99 ${at(0.99)}; stretches over 50 ms: ${stood.length}`
  )
}

function tell(): void {
  for (const stream of streams) for (let i = 0; i < 4; i++) stream.write(`id: ${seq()}\nevent: e\ndata: ${JSON.stringify(event())}\n\n`)
}

function seq(): number {
  return (told += 1)
}

function event(): object {
  const turn = Math.floor(told / 8)
  const session_id = told % 3 === 0 ? 's00001' : `s${String(told % SESSIONS).padStart(5, '0')}`
  const common = { seq: told, timestamp: Date.now() / 1_000, session_id, turn }
  const hits = Array.from({ length: 10 }, (_, i) => ({
    memory_hash: `h${i}`,
    score: 1 / (i + 1),
    components: { dense: 0.5, lexical: 0.2, recency: 1.05 }
  }))
  return told % 2 === 0
    ? { ...common, kind: 'retrieval.ranked', hits }
    : { ...common, kind: 'turn.finished', drift_score: (told % 10) / 10, drift_phase: 'stable' }
}

async function answer(url: string, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const file = FILES[pathname]
  if (file !== undefined) {
    response.setHeader('content-type', TYPES[file.split('.').at(-1) ?? ''] ?? '')
    response.end(await readFile(join(folder, file)))
  } else if (pathname === '/v1/debug/stream') {
    response.setHeader('content-type', 'text/event-stream')
    response.flushHeaders()
    streams.add(response)
  } else {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(bodyOf(pathname, searchParams)))
  }
}

function bodyOf(pathname: string, query: URLSearchParams): object {
  const idOf = (at: number): string => `s${String(at).padStart(5, '0')}`
  if (pathname === '/v1/readyz') return { ready: true, checks: { embedder: 'ok' }, embedder_model: 'any' }
  if (pathname === '/v1/health') return { status: 'ok', active_sessions: SESSIONS, version: '1.0.0' }
  if (pathname.startsWith('/v1/metrics/')) return METRICS
  if (pathname.endsWith('/days')) return { days: [] }
  if (pathname === '/v1/debug/ticket') return { ticket: 't', expires_in: 60 }
  if (pathname === '/v1/debug/recent') return { events: [], last_seq: 0 }
  if (pathname === '/v1/debug/machines') return { machines: [] }
  if (pathname === '/v1/debug/topology') {
    const nodes = Array.from({ length: SHOWN_IN_GRAPH }, (_, at) => ({
      id: `session:${idOf(at)}`,
      kind: 'session',
      label: idOf(at),
      state: 'active'
    }))
    return {
      nodes: [{ id: 'service', kind: 'service', label: 'service', state: 'running' }, ...nodes],
      edges: [],
      more: SESSIONS - SHOWN_IN_GRAPH
    }
  }
  if (pathname === '/v1/sessions') {
    const after = query.get('after')
    const from = after === null ? 0 : Number(after.slice(1)) + 1
    const sessions = Array.from({ length: Math.min(1_000, SESSIONS - from) }, (_, at) => ({
      session_id: idOf(from + at),
      state: 'active',
      total_memories: 1,
      last_active_at: 0
    }))
    return { sessions, next: from + sessions.length < SESSIONS ? idOf(from + sessions.length - 1) : null }
  }
  if (pathname.includes('/memories/')) return { memory_hash: 'h', text: 'What a memory says, in a sentence of some length.' }
  return { memories: [], next: null, machines: {} }
}

console.log(`${cpus()[0]?.model ?? ''}, ${cpus().length} cores, Node.js ${process.version}`)
