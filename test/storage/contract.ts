/** Contract of every storage. Each adapter's test is one call of this suite with a real storage. */
import t from 'tap'
import { addressKey } from '../../src/domain/address.js'
import { until } from '../support/until.js'
import { archives } from './contract-archive.js'
import { activated, at, type Cases, codeOf, created, headed, type OpenStorage } from './contract-cases.js'
import { fencing } from './contract-fencing.js'
import { guards } from './contract-guards.js'
import { bodies, naming, rows } from './contract-records.js'
import { tombstones } from './contract-tombstones.js'
import { wakes, waking, walked } from './contract-wakes.js'

export interface ContractOptions {
  /** Opens a new, empty storage. */
  readonly open: () => Promise<OpenStorage>
  /** Size of the large body in bytes. Default: 8 MB. */
  readonly largeBytes?: number
  /** Whether records stay when nobody uses them: the cases go by what the storage says of itself. Default: true. */
  readonly isDurable?: boolean
}

/** Runs each case on an empty storage. One that can be emptied serves all cases except those that close it or restart its server. */
export function storageContract(name: string, options: ContractOptions): void {
  const cases: Cases = {
    ...fencing,
    ...guards,
    ...rows,
    ...naming,
    ...wakes,
    ...tombstones,
    ...archives,
    ...bodies(options.largeBytes ?? 8 * 1024 * 1024)
  }
  let kept: OpenStorage | null = null
  t.teardown(async () => {
    if (kept !== null) await close(kept)
  })
  for (const [condition, run] of Object.entries(cases)) {
    t.test(`${name}: ${condition}`, async (t) => {
      const opened = kept ?? (await options.open())
      kept = null
      t.equal(opened.storage.isDurable, options.isDurable ?? true)
      try {
        await run(t, opened)
        await opened.empty?.()
      } catch (error) {
        await close(opened)
        throw error
      }
      if (opened.empty === undefined) await close(opened)
      else kept = opened
    })
  }
  for (const [condition, run] of Object.entries(operation)) {
    t.test(`${name}: ${condition}`, async (t) => {
      const opened = await options.open()
      try {
        await run(t, opened)
      } finally {
        await close(opened)
      }
    })
  }
}

async function close({ storage, other, stop }: OpenStorage): Promise<void> {
  await other?.close()
  await storage.close()
  await stop?.()
}

const operation: Cases = {
  'a check, while the storage works, resolves': async (t, { storage }) => {
    await t.resolves(storage.check())
  },
  'a storage, closed twice, stays closed': async (t, { storage }) => {
    await storage.close()
    await t.resolves(storage.close())
  },
  'a storage whose server was killed and came back has what it acknowledged and works': async (t, { storage, restartServer }) => {
    if (restartServer === undefined) {
      t.pass('there is no server')
      return
    }
    const token = await created(storage, at('a'), headed({ n: 1 }))
    await created(storage, at('b'), waking())
    await restartServer()
    await untilDone(() => storage.check())
    t.same(await walked(storage), [addressKey(at('b'))])
    const next = await storage.commit(at('a'), token, headed({ n: 2 }))
    t.equal(next.version, token.version + 1)
    t.same((await activated(storage, at('a'))).head, { n: 2 })
  }
}

/** Retries until it works, because the time that reconnecting takes is up to the client. */
function untilDone(works: () => Promise<void>): Promise<void> {
  return until(async () => (await codeOf(works())) === 'fulfilled')
}
