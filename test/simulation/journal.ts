/** Records which process wrote what to the storage, to check properties that no client sees. */
import { OUTBOX } from '../../actors/messaging/outbox.js'
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { type Address, addressKey } from '../../src/domain/address.js'
import type { RecordChanges, WriteToken } from '../../src/ports.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { Story } from './story.js'

export interface Journal {
  created(process: SimulatedProcess, address: Address, written: { readonly token: WriteToken; readonly changes: RecordChanges }): void
  taken(process: SimulatedProcess, address: Address, token: WriteToken): void
  committed(process: SimulatedProcess, address: Address, written: Written): void
  removed(process: SimulatedProcess, address: Address, token: WriteToken): void
  /** Outbox messages that were committed and not removed since. */
  readonly undelivered: ReadonlyMap<string, OutboxMessage>
  /** Every outbox message that was ever committed. */
  readonly posted: readonly OutboxMessage[]
  /** Writes by overtaken writers, and epochs given out twice. */
  readonly violations: readonly string[]
}

interface Written {
  readonly token: WriteToken
  readonly next: WriteToken
  readonly changes: RecordChanges
}

interface Record {
  token: WriteToken
  /** The process that was given each epoch. */
  readonly owners: Map<number, SimulatedProcess>
}

export function createJournal(story: Story): Journal {
  const records = new Map<string, Record>()
  const undelivered = new Map<string, OutboxMessage>()
  const posted: OutboxMessage[] = []
  const violations: string[] = []

  function recordOf(key: string): Record {
    const known = records.get(key) ?? { token: { epoch: 0, version: 0 }, owners: new Map<number, SimulatedProcess>() }
    records.set(key, known)
    return known
  }
  function own(process: SimulatedProcess, key: string, token: WriteToken): void {
    const record = recordOf(key)
    const before = record.owners.get(token.epoch)
    if (before !== undefined) violations.push(`epoch ${String(token.epoch)} of ${key} was given to ${before.name} and to ${process.name}`)
    record.owners.set(token.epoch, process)
    record.token = token
  }
  function noteOutbox(key: string, changes: RecordChanges): void {
    if (changes.clear === true) for (const id of undelivered.keys()) if (id.startsWith(`${key} `)) undelivered.delete(id)
    for (const { collection, id } of changes.remove) if (collection === OUTBOX) undelivered.delete(`${key} ${id}`)
    for (const { collection, id, body } of changes.put) {
      if (collection !== OUTBOX) continue
      posted.push(body as OutboxMessage)
      undelivered.set(`${key} ${id}`, body as OutboxMessage)
    }
  }
  /** Checks that the process may write under this token. */
  function write(process: SimulatedProcess, key: string, token: WriteToken): void {
    const record = recordOf(key)
    const owner = record.owners.get(token.epoch)
    const isLast = record.token.epoch === token.epoch && record.token.version === token.version
    if (owner === process && isLast) return
    const at = `epoch ${String(token.epoch)}, version ${String(token.version)}`
    violations.push(`${process.name} wrote ${key} at ${at}, which is at ${String(record.token.epoch)}, ${String(record.token.version)}`)
    story.tell(process.name, `writes ${key} although another one has taken it over`)
  }

  return {
    undelivered,
    posted,
    violations,
    created(process, address, { token, changes }) {
      const key = addressKey(address)
      own(process, key, token)
      noteOutbox(key, changes)
      story.tell(process.name, `made ${key} in epoch ${String(token.epoch)}`)
    },
    taken(process, address, token) {
      const key = addressKey(address)
      own(process, key, token)
      story.tell(process.name, `took ${key} over, epoch ${String(token.epoch)}`)
    },
    committed(process, address, { token, next, changes }) {
      const key = addressKey(address)
      write(process, key, token)
      recordOf(key).token = next
      noteOutbox(key, changes)
      story.note(`commit ${process.name} ${key} ${String(next.epoch)} ${String(next.version)} ${String(changes.put.length)}`)
    },
    removed(process, address, token) {
      const key = addressKey(address)
      write(process, key, token)
      for (const id of undelivered.keys()) if (id.startsWith(`${key} `)) undelivered.delete(id)
      story.tell(process.name, `removed ${key}`)
    }
  }
}
