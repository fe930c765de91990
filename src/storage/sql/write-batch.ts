/** Runs the statements of one batch, inside its transaction. */
import { type Address, addressKey } from '../../domain/address.js'
import { addTo } from '../../domain/collections/by-key.js'
import type { AuditEntry } from '../../ports.js'
import { CHAIN_START, linkEntries } from '../audit-chain.js'
import { firstEpoch } from '../first-epoch.js'
import { NO_BYTES, toKeyBytes } from '../key-bytes.js'
import { ask, inShapes, type SqlConnection } from './database.js'
import type { EncodedChanges, EncodedTombstone, WriteOperation, WriteResult, Written } from './operations.js'
import { nameValues } from './page-sizes.js'
import { clearPage } from './removed-rows.js'
import type { RowName } from './row-page.js'
import type { KeyValues, Statements, WrittenValues } from './statements.js'

export function keyOf({ kind, subject, id }: Address): KeyValues {
  return { kind, subject: toKeyBytes(subject), id: toKeyBytes(id) }
}

/**
 * Takes the records first, in the same order for all writers, then each subject's audit chain, likewise: transactions that want the same
 * ones wait for each other but cannot deadlock. An operation whose condition no longer holds takes nothing, and the rest continues.
 */
export async function writeBatch(
  connection: SqlConnection,
  statements: Statements,
  batch: readonly WriteOperation[]
): Promise<WriteResult[]> {
  const results: WriteResult[] = batch.map(() => ({ outcome: 'unchanged' }))
  const order = batch.map((operation, index) => ({ operation, index, key: addressKey(operation.address) })).sort(byKey)
  await Promise.all(
    order.map(async ({ operation, index }) => {
      results[index] = await take(connection, statements, operation)
    })
  )
  const written = batch.flatMap((operation, index) => {
    const result = results[index]
    return result?.outcome === 'written' ? [{ operation, index, result }] : []
  })
  await Promise.all([
    ...written.map(async ({ operation, index, result }) => {
      if (operation.action === 'remove')
        results[index] = { ...result, hasRest: await bury(connection, statements, operation.tombstone, result.record) }
      else if (operation.action !== 'activate') await writeRows(connection, statements, operation, result)
    }),
    ...[...auditsOf(written)].sort(byName).map(([subject, entries]) => appendAudit(connection, statements, subject, entries))
  ])
  return results
}

/** Entries of each subject's trail, in the order of the writes. */
export function auditsOf(written: readonly { readonly operation: WriteOperation }[]): Map<string, AuditEntry[]> {
  const audits = new Map<string, AuditEntry[]>()
  for (const { operation } of written) {
    if (!('changes' in operation)) continue
    for (const entry of operation.changes.audit) addTo(audits, operation.address.subject, entry)
  }
  return audits
}

/** The statement that decides: nothing else of an operation is sent before it is answered. */
async function take(connection: SqlConnection, statements: Statements, operation: WriteOperation): Promise<WriteResult> {
  const key = keyOf(operation.address)
  const [taken] = await taking(connection, statements, operation, key)
  if (taken === undefined) return { outcome: 'unchanged' }
  const { record, epoch, version, head = NO_BYTES } = taken
  return { outcome: 'written', record, token: { epoch, version }, head }
}

interface Taken {
  readonly record: number
  readonly epoch: number
  readonly version: number
  readonly head?: Uint8Array
}

function taking(connection: SqlConnection, statements: Statements, operation: WriteOperation, key: KeyValues): Promise<Taken[]> {
  switch (operation.action) {
    case 'create': {
      const { changes, tombstoneEpoch } = operation
      const values = { ...key, ...writtenOf(changes), firstEpoch: firstEpoch() }
      return tombstoneEpoch === undefined
        ? ask(connection, statements.create, values)
        : ask(connection, statements.createAfter, { ...values, tombstoneEpoch })
    }
    case 'activate':
      return ask(connection, statements.activate, key)
    case 'commit':
      return ask(connection, statements.commit, { ...key, ...operation.token, ...writtenOf(operation.changes) })
    case 'remove':
      return ask(connection, statements.remove, { ...key, ...operation.token })
  }
}

function writtenOf({ head, wakes }: EncodedChanges): WrittenValues {
  return { head, wakes: wakes ? 1 : 0 }
}

/** Leaves the tombstone, and deletes a page of the rows. Returns whether there may be more. */
async function bury(connection: SqlConnection, statements: Statements, tombstone: EncodedTombstone, record: number): Promise<boolean> {
  const [hasRest] = await Promise.all([
    clearPage(connection, statements, record),
    ask(connection, statements.bury, { record, ...tombstone })
  ])
  return hasRest
}

async function writeRows(
  connection: SqlConnection,
  statements: Statements,
  { action, changes }: Extract<WriteOperation, { readonly changes: EncodedChanges }>,
  { record, token }: Written
): Promise<void> {
  const { put, remove } = changes
  // A record that lives again may have rows of before, which were not cleared yet.
  const clear = changes.clear || (action === 'create' && token.version > 1)
  // A later row of the same name wins, and a row that is put needs no removal, so these statements may run in any order.
  const kept = new Map(put.map((row) => [rowKey(row), { ...nameValues(row), body: row.body }]))
  const dropped = clear ? [] : remove.filter((name) => !kept.has(rowKey(name))).map(nameValues)
  await Promise.all([
    clear && ask(connection, statements.clear, { record }),
    inShapes(connection, statements.drop, dropped, { record }),
    inShapes(connection, statements.put, [...kept.values()], { record })
  ])
}

function rowKey({ collection, id }: RowName): string {
  return `${collection.length}:${collection}:${id}`
}

async function appendAudit(connection: SqlConnection, statements: Statements, name: string, entries: readonly AuditEntry[]): Promise<void> {
  const subject = toKeyBytes(name)
  const [head = { seq: 0, hash: CHAIN_START }] = await ask(connection, statements.lockAudit, { subject, hash: CHAIN_START })
  const rows = linkEntries(head, name, entries)
  const last = rows.at(-1)
  if (last === undefined) return
  await Promise.all([
    inShapes(connection, statements.appendAudit, rows, { subject }),
    ask(connection, statements.moveAudit, { subject, seq: last.seq, hash: last.hash })
  ])
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : 1
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
