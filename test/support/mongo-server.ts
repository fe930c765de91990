/** A real MongoDB if available: the one in `MONGO_URL`, or a `mongod` of the test's own as a replica set of one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { freePort } from './free-port.js'
import { untilSaid } from './until-said.js'

export interface MongoServer {
  /** Where the server came from, for the test report. */
  readonly origin: string
  /** Returns the URL of a new, empty database. */
  newDatabase(): string
  /** kill -9 and restart; absent for a server that is not the test's own. */
  readonly restart?: () => Promise<void>
  /** Removes the databases that `newDatabase` returned. */
  stop(): Promise<void>
}

const BINARY = 'mongod'

/** Returns null when no server is available. */
export async function startMongoServer(): Promise<MongoServer | null> {
  const given = process.env['MONGO_URL']
  if (given !== undefined && given !== '') return serverAt(given, { origin: 'the server of MONGO_URL' })
  return spawnSync(BINARY, ['--version']).status === 0 ? startBinary() : null
}

function serverAt(url: string, { origin, restart }: { readonly origin: string; readonly restart?: () => Promise<void> }): MongoServer {
  const names: string[] = []
  return {
    origin,
    ...(restart !== undefined && { restart }),
    newDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`
      names.push(name)
      const address = new URL(url)
      // By default users are looked up in the URL's own database.
      if (address.username !== '' && !address.searchParams.has('authSource'))
        address.searchParams.set('authSource', address.pathname.slice(1) || 'admin')
      address.pathname = `/${name}`
      return address.href
    },
    async stop() {
      const client = new MongoClient(url)
      for (const name of names) await client.db(name).dropDatabase()
      await client.close()
    }
  }
}

async function startBinary(): Promise<MongoServer> {
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'mongo-'))
  const url = `mongodb://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(BINARY, ['--replSet', 'rs0', '--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', directory], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    await untilSaid(child, 'stdout', 'Waiting for connections')
  }
  const kill = async () => {
    if (child?.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  await initiate(url, port)
  const server = serverAt(url, {
    origin: 'a mongod of this test',
    async restart() {
      await kill()
      await start()
    }
  })
  return {
    ...server,
    async stop() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function initiate(url: string, port: number): Promise<void> {
  const client = new MongoClient(`${url}/?directConnection=true`)
  const admin = client.db('admin')
  await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] } })
  while ((await admin.command({ hello: 1 }))['isWritablePrimary'] !== true) await new Promise((resolve) => setImmediate(resolve))
  await client.close()
}
