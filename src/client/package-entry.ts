/** Public exports of `engram/client`. */
export type { ChatAnswer, ChatRequest, ChatStream } from './chat.js'
export type { DebugGap, EventOptions } from './debug.js'
export { createEngram, type Engram, type EngramSession } from './engram.js'
export { EngramError, type EngramErrorKind, isEngramError, type Problem } from './engram-error.js'
export type { ActorChart, DebugEvent, Erasure, Topology } from './optional-surfaces.js'
export type { CallOptions, EngramOptions, Schemas } from './requests.js'
