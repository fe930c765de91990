/** The smallest behaviour that uses everything the runtime offers: a list of words, and ways to fail. */
import type { Behaviour } from '../../actors/behaviour/behaviour.js'
import type { Room } from '../../actors/weight/room.js'
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { StoredRow } from '../../src/ports.js'

export type ListCommand =
  | { readonly type: 'list.create' }
  /** Creates the list if it does not exist. */
  | { readonly type: 'list.append'; readonly word: string }
  | { readonly type: 'list.read' }
  /** Changes nothing if the list is empty. */
  | { readonly type: 'list.clear' }
  | { readonly type: 'list.refuse' }
  | { readonly type: 'list.crash' }
  | { readonly type: 'list.delete' }

export interface ListState {
  words: string[]
}

export type ListReply = { readonly words: readonly string[] }

export interface ListOptions {
  /** Slow work before a step. Default: none. */
  readonly prepare?: (command: ListCommand, signal: AbortSignal, room: Room) => Promise<void>
  /** Called when a command is about to create a list, or not. */
  readonly initiating?: (command: ListCommand) => void
  /** Called before a row is restored. */
  readonly reading?: () => void
  /** Called when every row is restored. */
  readonly restored?: () => void
  /** Called when restoring ended early. */
  readonly ended?: () => void
  readonly disposed?: () => void
  /** Work that remains before a step or after one; `next` is the step's command. */
  readonly settle?: (next: ListCommand | null) => Pieces<void> | null
  /** Work of a step before its end. Default: none. */
  readonly stepping?: (command: ListCommand) => Pieces<void> | null
  /** Reminders that are due. Default: none. */
  readonly reminders?: () => readonly { readonly address: Address; readonly command: ListCommand }[]
  /** Reminder that has to run before any other command. Default: none. */
  readonly overdue?: (key: string, now: number) => ListCommand | null
  /** Ids of lists to be reminded every second. Default: none. */
  readonly reminded?: Set<string>
  /** Whether replies contain the words, or nothing that belongs to a user. Default: true. */
  readonly isTelling?: boolean
}

/** Creates the behaviour: a list of words, with one stored row each. */
export function createListBehaviour(options: ListOptions = {}): Behaviour<ListState, ListCommand, void, ListReply> {
  const reply = (state: ListState): ListReply => (options.isTelling === false ? ({} as ListReply) : { words: [...state.words] })
  return {
    kind: 'session',
    *restore(_address, record) {
      const words: string[] = []
      let isWhole = false
      try {
        for (const { body } of [...record.rows].sort((a, b) => Number(a.id) - Number(b.id))) {
          options.reading?.()
          yield
          words.push(String(body))
        }
        options.restored?.()
        isWhole = true
        return { words }
      } finally {
        if (!isWhole) options.ended?.()
      }
    },
    async initiate(_address, command) {
      options.initiating?.(command)
      if (command.type !== 'list.create' && command.type !== 'list.append') return null
      return { state: { words: [] }, changes: { head: { length: 0 }, put: [], remove: [] } }
    },
    missing: () => new DomainError('session_missing', 'Session not found'),
    reminders: () =>
      options.reminders?.() ??
      [...(options.reminded ?? [])].map((id) => ({ address: { kind: 'session', subject: 'tester', id }, command: { type: 'list.read' } })),
    overdue: (key, now) => options.overdue?.(key, now) ?? null,
    forgetReminders: ({ id }) => void options.reminded?.delete(id),
    async prepare(_state, command, { signal, room }) {
      await options.prepare?.(command, signal, room)
    },
    settle: (_state, next) => options.settle?.(next?.command ?? null) ?? null,
    *step(state, command, _prepared, { isFresh }) {
      yield* options.stepping?.(command) ?? []
      switch (command.type) {
        case 'list.create':
          if (!isFresh) throw new DomainError('already_exists', 'Session already exists')
          return { reply: reply(state), changes: null }
        case 'list.append': {
          state.words.push(command.word)
          const row: StoredRow = { collection: 'words', id: String(state.words.length), body: command.word }
          return { reply: reply(state), changes: { head: { length: state.words.length }, put: [row], remove: [] } }
        }
        case 'list.read':
          return { reply: reply(state), changes: null }
        case 'list.clear': {
          const remove = state.words.map((_, at) => ({ collection: 'words', id: String(at + 1) }))
          state.words = []
          return { reply: reply(state), changes: remove.length === 0 ? null : { head: { length: 0 }, put: [], remove } }
        }
        case 'list.refuse':
          throw new DomainError('invalid_input', 'Refused', { loc: ['body', 'word'] })
        case 'list.crash':
          state.words.push('half a step')
          throw new TypeError('Poison')
        case 'list.delete':
          return { reply: reply(state), changes: null, isRemoval: true }
      }
    },
    dispose: () => options.disposed?.()
  }
}
