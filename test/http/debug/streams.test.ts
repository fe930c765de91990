/** Bounds on the streams of one subject, and on the age of each. */
import { Writable } from 'node:stream'
import t from 'tap'
import { createRecorder } from '../../../src/debug/recorder.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { createStreams, STREAM_MS_MAX } from '../../../src/http/debug/streams.js'
import { yieldToEventLoop } from '../../../src/platform/event-loop.js'
import { createManualClock } from '../../support/manual-clock.js'
import { until } from '../../support/until.js'

function createRig() {
  const clock = createManualClock()
  const recorder = createRecorder({ clock, ringMax: 10, isTracing: true })
  const streams = createStreams({ recorder, clock, yieldToEventLoop, takePieces: async (_subject, work) => inOneGo(work) })
  return { clock, streams }
}

/** Takes one chunk and then nothing more, like a connection whose buffers are full. */
function stalled(): Writable {
  return new Writable({ highWaterMark: 1, write: () => undefined })
}

t.test('a reader that has stopped reading is ended like any other, also when nothing waits for it', async (t) => {
  const { streams } = createRig()
  const opened = Array.from({ length: 30 }, () => {
    const stream = streams.open('alice', undefined)
    stream.pipe(stalled())
    return stream
  })
  await until(() => opened.filter(({ destroyed }) => !destroyed).length <= 8)
  t.same(
    opened.map(({ destroyed }) => destroyed),
    opened.map((_, at) => at < 22),
    'the oldest'
  )
  await until(() => opened.slice(22).every((stream) => stream.isPaused() && stream.readableLength === 0))
  streams.endAll()
  await until(() => opened.every(({ destroyed }) => destroyed))
})

t.test('a stream ends after a quarter of an hour, so that nobody watches for good with a license that has expired', async (t) => {
  const { clock, streams } = createRig()
  const stream = streams.open('alice', undefined)
  stream.resume()
  await clock.advance(STREAM_MS_MAX - 1)
  t.equal(stream.readableEnded, false)
  await clock.advance(1)
  await until(() => stream.closed)
  t.equal(stream.readableEnded, true, 'whole, not cut off')
  t.equal(clock.pending, 0, 'no timer is left')
})
