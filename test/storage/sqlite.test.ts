import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../src/platform/clock.js'
import type { Logger } from '../../src/ports.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'
import { storageContract } from './contract.js'

const clock = createSystemClock()
const logger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), 'storage-'))
  const open = () => createSqlStorage({ url: `sqlite:${join(folder, 'records.db')}`, clock, logger })
  return { folder, open, stop: () => rm(folder, { recursive: true }) }
}

storageContract('sqlite', {
  open: async () => {
    const { open, stop } = await openFile()
    const [storage, other] = await Promise.all([open(), open()])
    return { storage, other, stop }
  }
})
