/** Contract of SQL storages beyond the storage contract: audit trail, batches and schema. */
import t, { type Test } from 'tap'
import { TOMBSTONE_S } from '../../src/domain/limits.js'
import type { AuditEntry, AuditVerdict, RecordChanges, WriteToken } from '../../src/ports.js'
import type { SqlStorage } from '../../src/storage/sql/storage.js'
import { activated, at, codeOf, created, headed, row, SUBJECT } from './contract-cases.js'

export interface OpenSql {
  readonly storage: SqlStorage
  /** A second connection to the same records. */
  readonly other: SqlStorage
  /** Runs SQL directly on the database, bypassing the storage. */
  readonly run: (sql: string) => Promise<unknown>
  /** Number of rows in a table. */
  readonly count: (table: string) => Promise<number>
  readonly stop: () => Promise<void>
}

/** Removes every record of a storage without an audit trail. */
export const EMPTYING = 'delete from actor_tombstones; delete from actor_rows; delete from actor_records'

export interface SqlContractOptions {
  readonly open: () => Promise<OpenSql>
  /** Opens again the storage that `open` opened last. */
  readonly reopen: () => Promise<SqlStorage>
  /** Makes each audit entry of this session fail. */
  readonly refuseAuditOf: (sessionId: string) => string
  /** Drops the triggers that keep the trail append-only. */
  readonly unguard: string
}

type Cases = Record<string, (t: Test, opened: OpenSql, options: SqlContractOptions) => Promise<void>>

export function sqlContract(name: string, options: SqlContractOptions): void {
  for (const [condition, run] of Object.entries({ ...auditing, ...tampering, ...batches, ...opening })) {
    t.test(`${name}: ${condition}`, async (t) => {
      const opened = await options.open()
      try {
        await run(t, opened, options)
      } finally {
        await Promise.all([opened.other.close(), opened.storage.close()])
        await opened.stop()
      }
    })
  }
}

function entry(sessionId: string, n = 0): AuditEntry {
  return {
    action: 'store',
    userId: `u\u0000${n}🙂\ud800`,
    sessionId,
    requestId: `r${n}`,
    timestamp: 1_700_000_000.25 + n,
    digest: 'ab'.repeat(32),
    size: n
  }
}

function audited(head: unknown, ...audit: AuditEntry[]): RecordChanges {
  return { ...headed(head), audit }
}

async function verdicts(storage: SqlStorage): Promise<Record<string, AuditVerdict>> {
  const found: Record<string, AuditVerdict> = {}
  for await (const { trail, verdict } of storage.verifyAudits()) found[trail] = verdict
  return found
}

const auditing: Cases = {
  'a trail that was never written to is intact': async (t, { storage }) => {
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 0 })
  },
  'audit entries written by creates and commits make one chain a subject': async (t, { storage, other }) => {
    const token = await created(storage, at('a'), audited(0, entry('a')))
    await storage.commit(at('a'), token, audited(1, entry('a', 1), entry('a', 2)))
    await created(other, at('b'), audited(0, entry('b')))
    await created(other, at('b', 'another'), audited(0, entry('b')))
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 4 })
    t.same(await other.verifyAudit('another'), { isIntact: true, entries: 1 })
  },
  'all trails, whatever their subjects are called, are each verified once': async (t, { storage, run }, { unguard }) => {
    t.same(await verdicts(storage), {})
    const subjects = ['b', 'a', 'é', 'a\u{1f642}', ' ']
    for (const subject of subjects) await created(storage, at('s', subject), audited(0, entry('s'), entry('s', 1)))
    await created(storage, at('s', 'unaudited'))
    const intact = { isIntact: true, entries: 2 }
    t.strictSame(await verdicts(storage), Object.fromEntries(subjects.map((subject) => [subject, intact])))
    await run(`${unguard}; delete from audit_heads where subject = (select subject from audit_heads order by subject limit 1)`)
    t.match(await verdicts(storage), { ' ': { seq: 1, problem: 'unlinked' }, a: intact })
  },
  'a fenced commit leaves no audit entry': async (t, { storage, other }) => {
    const stale = await created(storage, at('a'))
    await activated(other, at('a'))
    t.equal(await codeOf(storage.commit(at('a'), stale, audited(1, entry('a')))), 'fenced')
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 0 })
  },
  'two writers that add to one trail at once keep its chain': async (t, { storage, other }) => {
    const work = Array.from({ length: 16 }, async (_, n) => {
      const writer = n % 2 === 0 ? storage : other
      let token = await created(writer, at(`s${n}`))
      for (let turn = 0; turn < 8; turn++) token = await writer.commit(at(`s${n}`), token, audited(turn, entry(`s${n}`, turn)))
    })
    await Promise.all(work)
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 128 })
  },
  'an audit entry that cannot be written takes its state along and nobody else': async (t, { storage, run }, { refuseAuditOf }) => {
    await run(refuseAuditOf('bad'))
    const ids = ['a', 'b', 'bad', 'c', 'd']
    const tokens = await Promise.all(ids.map((id) => created(storage, at(id), headed('before', [row('r', 1)]))))
    const codes = await Promise.all(
      ids.map((id, n) => codeOf(storage.commit(at(id), tokens[n] as (typeof tokens)[0], { ...audited('after', entry(id)), clear: true })))
    )
    t.same(
      codes,
      ids.map((id) => (id === 'bad' ? 'storage_unavailable' : 'fulfilled'))
    )
    for (const id of ids) {
      const record = await activated(storage, at(id))
      t.equal(record.head, id === 'bad' ? 'before' : 'after', id)
      t.equal(record.rows.length, id === 'bad' ? 1 : 0, id)
    }
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 4 })
  }
}

const TAMPERINGS: readonly (readonly [name: string, sql: string, verdict: object])[] = [
  [
    'an entry changed',
    `update audit_entries set entry = replace(entry, '"size":2', '"size":9') where seq = 3`,
    { seq: 3, problem: 'changed' }
  ],
  ['a hash changed', `update audit_entries set hash = previous_hash where seq = 2`, { seq: 2, problem: 'changed' }],
  ['an entry missing in the middle', `delete from audit_entries where seq = 3`, { seq: 3, problem: 'missing' }],
  ['the first entry missing', `delete from audit_entries where seq = 1`, { seq: 1, problem: 'missing' }],
  ['the last entries missing', `delete from audit_entries where seq > 3`, { seq: 4, problem: 'missing' }],
  ['every entry missing', `delete from audit_entries`, { seq: 1, problem: 'missing' }],
  ['a link replaced', `update audit_entries set previous_hash = hash where seq = 4`, { seq: 4, problem: 'unlinked' }],
  ['the end missing', `delete from audit_heads`, { seq: 1, problem: 'unlinked' }],
  ['the end replaced', `update audit_heads set hash = 'x'`, { seq: 5, problem: 'unlinked' }]
]

const tampering: Cases = {
  'changes and deletions of audit entries through SQL are refused': async (t, { storage, run }) => {
    await created(storage, at('a'), audited(0, entry('a')))
    await t.rejects(run(`update audit_entries set entry = 'x'`), /append-only/)
    await t.rejects(run(`delete from audit_entries`), /append-only/)
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 1 })
  },
  'a trail that was tampered with names its first broken link': async (t, { storage, run }, { unguard }) => {
    await run(unguard)
    await run('create table kept_entries as select * from audit_entries')
    await created(storage, at('a'), audited(0, ...Array.from({ length: 5 }, (_, n) => entry('a', n))))
    await run('insert into kept_entries select * from audit_entries')
    await run('create table kept_heads as select * from audit_heads')
    for (const [name, sql, verdict] of TAMPERINGS) {
      await run(sql)
      t.same(await storage.verifyAudit(SUBJECT), { isIntact: false, ...verdict }, name)
      await run('delete from audit_entries')
      await run('insert into audit_entries select * from kept_entries')
      await run('delete from audit_heads')
      await run('insert into audit_heads select * from kept_heads')
    }
    t.same(await storage.verifyAudit(SUBJECT), { isIntact: true, entries: 5 })
  }
}

const batches: Cases = {
  'fenced writes among others do not spoil them': async (t, { storage, other }) => {
    const ids = Array.from({ length: 40 }, (_, n) => `s${n}`)
    const tokens = await Promise.all(ids.map((id) => created(storage, at(id), headed(0, [row('r', 0)]))))
    await Promise.all(ids.filter((_, n) => n % 4 === 0).map((id) => activated(other, at(id))))
    const codes = await Promise.all(
      ids.map((id, n) => codeOf(storage.commit(at(id), tokens[n] as (typeof tokens)[0], headed(1, [row('r', 1)]))))
    )
    t.same(
      codes,
      ids.map((_, n) => (n % 4 === 0 ? 'fenced' : 'fulfilled'))
    )
    for (const [n, id] of ids.entries()) t.same((await activated(storage, at(id))).rows, [row('r', n % 4 === 0 ? 0 : 1)])
  },
  'writes to one record asked for at once keep their order': async (t, { storage }) => {
    const token = await created(storage, at('a'))
    const [first, second, third] = await Promise.all([
      storage.commit(at('a'), token, headed(1)),
      storage.commit(at('a'), { ...token, version: token.version + 1 }, headed(2)),
      activated(storage, at('a'))
    ])
    t.same([first.version, second.version], [token.version + 1, token.version + 2])
    t.equal(third.head, 2)
  },
  'two writers on many shared records wait for each other and never in a circle': async (t, { storage, other }) => {
    const ids = Array.from({ length: 24 }, (_, n) => `s${n}`)
    await Promise.all(ids.map((id) => created(storage, at(id))))
    for (let round = 0; round < 5; round++) {
      const both = [...ids.map((id) => activated(storage, at(id))), ...[...ids].reverse().map((id) => activated(other, at(id)))]
      for (const result of await Promise.allSettled(both)) t.equal(result.status, 'fulfilled')
    }
  },
  'a close, while writes are under way, waits for them': async (t, { storage, other }) => {
    const writes = Array.from({ length: 20 }, (_, n) => storage.create(at(`s${n}`), headed(n)))
    await storage.close()
    for (const token of await Promise.all(writes)) t.ok(token)
    t.equal((await other.list({ kind: 'session', subject: SUBJECT, limit: 100 })).length, 20)
    t.equal(await codeOf(storage.create(at('late'), headed(0))), 'storage_unavailable')
    t.equal(await codeOf(storage.peek(at('late'))), 'storage_unavailable')
  },
  'a record read while others write it comes whole or is fenced': async (t, { storage, other }) => {
    const rowsOf = (n: number) => Array.from({ length: 1_000 }, (_, id) => row(String(id), n))
    let token = await created(storage, at('a'), headed(0, rowsOf(0)))
    for (let n = 1; n <= 5; n++) {
      const reading = other.activate(at('a')).then(
        (record) => record,
        () => null
      )
      const taken = await activated(storage, at('a'))
      token = taken.token
      await codeOf(storage.commit(at('a'), token, headed(n, rowsOf(n))))
      const read = await reading
      if (read !== null) t.equal(new Set(read.rows.map(({ body }) => body)).size, 1)
    }
  }
}

const opening: Cases = {
  'a database opened by several at once is made once': async (t, { storage }, { reopen }) => {
    const token = await created(storage, at('a'))
    const all = await Promise.all([reopen(), reopen(), reopen()])
    for (const again of all) t.equal(await again.verify(at('a'), token), true)
    await Promise.all(all.map((again) => again.close()))
  },
  'a database of a later version is refused': async (t, { run }, { reopen }) => {
    await run('insert into actor_migrations (version) values (99)')
    await t.rejects(reopen(), /schema version 99/)
  },
  'nothing is left of old tombstones once they are cleared, and late writers of their records stay fenced': async (t, opened) => {
    const { storage, other, run } = opened
    const tokens = new Map<string, WriteToken>()
    for (const id of ['rows', 'none', 'anew', 'young']) {
      tokens.set(id, await created(storage, at(id)))
      await storage.remove(at(id), tokens.get(id) as WriteToken, id === 'none' ? [] : [row('1', id, 'request')])
      if (id !== 'young') await run(`update actor_tombstones set buried_at = buried_at - ${TOMBSTONE_S + 1}`)
    }
    const anew = await created(storage, at('anew'), headed(1))
    await Promise.all([storage.sweep(), other.sweep()])
    for (const id of ['rows', 'none']) {
      t.equal(await storage.tombstone(at(id)), null)
      const next = await storage.create(at(id), headed(1), 0)
      t.equal(await codeOf(storage.commit(at(id), tokens.get(id) as WriteToken, headed(2))), 'fenced')
      t.ok(next !== null && (await storage.verify(at(id), next)), 'a new one is made as if it was the first')
    }
    t.equal(await storage.verify(at('anew'), anew), true, 'what lives again stays')
    t.same((await storage.tombstone(at('young')))?.rows, [row('1', 'young', 'request')])
    t.same((await storage.list({ kind: 'session', subject: SUBJECT, limit: 10 })).sort(), ['anew', 'none', 'rows'])
    await run(`update actor_tombstones set buried_at = buried_at - ${TOMBSTONE_S + 1}`)
    await storage.sweep()
    for (const [table, kept] of Object.entries({ actor_records: 3, actor_tombstones: 0 }))
      t.equal(await opened.count(table), kept, `${table} grow no further`)
  },
  'a purge, after a removal, resolves and leaves what was kept': async (t, { storage }) => {
    const token = await created(storage, at('a'), headed(0, [row('1', 'one'), row('2', 'two')]))
    await storage.commit(at('a'), token, { head: 1, put: [], remove: [{ collection: 'memories', id: '1' }] })
    await storage.purge()
    t.same((await activated(storage, at('a'))).rows, [row('2', 'two')])
  }
}
