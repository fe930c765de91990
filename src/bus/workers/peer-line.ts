/**
 * A line between two workers: asks and their answers as frames over a socket. What is to be sent in one iteration of the event loop is
 * written at once.
 */
import type { Duplex } from 'node:stream'
import { UNREAD_BYTES_MAX, type WorkerAnswer, type WorkerAsk } from './messages.js'

type PeerMessage = WorkerAsk | WorkerAnswer

export interface PeerLine {
  send(message: PeerMessage): void
  /** Whether too many bytes wait for the other worker. */
  isFull(): boolean
}

interface PeerLineOptions {
  readonly hear: (message: PeerMessage) => void
  /** Called once the other process has ended. */
  readonly ended: () => void
}

/** Places in a frame: its length, flags, the length of its topic, the number, the milliseconds left; topic and body follow. */
const FLAGS = 4
const TOPIC_LENGTH = 5
const NUMBER = 7
const LEFT_MS = 15
const TOPIC = 23

const ANSWER = 1
const DIVIDED = 2
const TICKET = 4
const REFUSAL = 8

export function createPeerLine(socket: Duplex, { hear, ended }: PeerLineOptions): PeerLine {
  let isWaiting = false
  socket.on(
    'data',
    createReader((frame) => hear(decode(frame)))
  )
  // A close follows, and says enough.
  socket.on('error', () => undefined)
  socket.once('close', ended)
  socket.resume()
  return {
    send(message) {
      if (!isWaiting) {
        isWaiting = true
        socket.cork()
        setImmediate(() => {
          isWaiting = false
          socket.uncork()
        })
      }
      socket.write(encode(message))
    },
    isFull: () => socket.writableLength >= UNREAD_BYTES_MAX
  }
}

function encode(message: PeerMessage): Buffer {
  const isAnswer = message.type === 'answer'
  const topic = isAnswer ? '' : message.topic
  const { data, isDivided, isTicket } = message
  const frame = Buffer.allocUnsafe(TOPIC + topic.length + data.length)
  frame.writeUInt32LE(frame.length)
  frame[FLAGS] =
    Number(isAnswer && ANSWER) |
    Number(isDivided && DIVIDED) |
    Number(isTicket && TICKET) |
    Number(isAnswer && message.isRefusal && REFUSAL)
  frame.writeUInt16LE(topic.length, TOPIC_LENGTH)
  frame.writeDoubleLE(message.number, NUMBER)
  frame.writeDoubleLE(isAnswer ? 0 : message.leftMs, LEFT_MS)
  frame.write(topic, TOPIC, 'latin1')
  frame.set(data, TOPIC + topic.length)
  return frame
}

function decode(frame: Buffer): PeerMessage {
  const flags = frame[FLAGS] ?? 0
  const bodyAt = TOPIC + frame.readUInt16LE(TOPIC_LENGTH)
  const number = frame.readDoubleLE(NUMBER)
  const isTicket = (flags & TICKET) !== 0
  const content = { data: frame.subarray(bodyAt), isDivided: (flags & DIVIDED) !== 0, ...(isTicket && { isTicket }) }
  if ((flags & ANSWER) !== 0) return { type: 'answer', number, isRefusal: (flags & REFUSAL) !== 0, ...content }
  return { type: 'ask', number, topic: frame.toString('latin1', TOPIC, bodyAt), leftMs: frame.readDoubleLE(LEFT_MS), ...content }
}

/** Returns a function that takes what was read, and calls `hear` with each whole frame. */
function createReader(hear: (frame: Buffer) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let bytes = 0
  /** Bytes of the next frame; before its length has come, those of the length. */
  let needed = FLAGS
  return (chunk) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < needed) return
    const data = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    let at = 0
    for (;;) {
      const left = data.length - at
      needed = left < FLAGS ? FLAGS : data.readUInt32LE(at)
      if (left < needed) break
      hear(data.subarray(at, at + needed))
      at += needed
    }
    chunks = at === data.length ? [] : [data.subarray(at)]
    bytes = data.length - at
  }
}
