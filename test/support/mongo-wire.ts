/** MongoDB's wire protocol as far as its current driver uses it: OP_MSG, and OP_QUERY for the first handshake. */
import { createServer, type Server, type Socket } from 'node:net'
import { BSON } from 'mongodb'

/** A command or its answer. */
export type WireDocument = Record<string, unknown>

/** Undefined: the connection is cut instead of answering. */
export type AnswerCommand = (command: WireDocument) => Promise<WireDocument | undefined>

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER_BYTES = 16

/** Creates a server that does not listen yet. */
export function createWireServer(answer: AnswerCommand, sockets: Set<Socket>): Server {
  return createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side may close at any time; 'close' follows.
    socket.on('error', () => undefined)
    void serve(socket, answer)
  })
}

async function serve(socket: Socket, answer: AnswerCommand): Promise<void> {
  let chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      while (size >= HEADER_BYTES) {
        const first = chunks[0] as Buffer
        const length = (first.length >= 4 ? first : Buffer.concat(chunks)).readInt32LE(0)
        if (size < length) break
        const all = Buffer.concat(chunks)
        chunks = [all.subarray(length)]
        size = all.length - length
        const reply = await replyTo(all.subarray(0, length), answer)
        if (reply === undefined) socket.destroy()
        else socket.write(reply)
      }
    }
  } catch {
    socket.destroy()
  }
}

async function replyTo(message: Buffer, answer: AnswerCommand): Promise<Buffer | undefined> {
  const requestId = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  if (opCode !== OP_MSG && opCode !== OP_QUERY) throw new Error(`The stand-in does not know operation ${opCode}`)
  const result = await answer(opCode === OP_MSG ? readMessage(message) : readQuery(message))
  if (result === undefined) return undefined
  const document = Buffer.from(BSON.serialize(result))
  // OP_MSG: flags, then one section of kind 0. OP_REPLY: flags, cursor, first, count.
  const prefix = Buffer.alloc(opCode === OP_MSG ? 5 : 20)
  if (opCode === OP_QUERY) prefix.writeInt32LE(1, 16)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeInt32LE(HEADER_BYTES + prefix.length + document.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(opCode === OP_MSG ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, prefix, document])
}

function readMessage(message: Buffer): WireDocument {
  const hasChecksum = (message.readUInt32LE(HEADER_BYTES) & 1) !== 0
  const end = message.length - (hasChecksum ? 4 : 0)
  let command: WireDocument = {}
  const sequences: WireDocument = {}
  for (let at = HEADER_BYTES + 4; at < end;) {
    const kind = message[at]
    at += 1
    const size = message.readInt32LE(at)
    if (kind === 0) command = toDocument(message.subarray(at, at + size))
    else {
      const nameEnd = message.indexOf(0, at + 4)
      sequences[message.toString('utf8', at + 4, nameEnd)] = readDocuments(message.subarray(nameEnd + 1, at + size))
    }
    at += size
  }
  return { ...command, ...sequences }
}

function readQuery(message: Buffer): WireDocument {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4)
  return toDocument(message.subarray(nameEnd + 1 + 8))
}

function readDocuments(bytes: Buffer): WireDocument[] {
  const documents: WireDocument[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readInt32LE(at)
    documents.push(toDocument(bytes.subarray(at, at + size)))
    at += size
  }
  return documents
}

function toDocument(bytes: Buffer): WireDocument {
  return BSON.deserialize(bytes)
}
