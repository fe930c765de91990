/** Alternatives to the service: packages that the bench installs separately from the project's own on first use. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const INSTALL_MS_MAX = 300_000
const SOURCES = new URL('peers/', import.meta.url)
/** Among the installed packages, where no tool takes their files for sources of the project. */
const FOLDER = join(dirname(dirname(createRequire(import.meta.url).resolve('libsql'))), '.cache/bench-peers')
const FILES = ['package.json', 'package-lock.json', 'adapters.mjs']

export interface Item {
  readonly text: string
  readonly vector: readonly number[]
}

export interface Peer {
  add(items: readonly Item[]): Promise<unknown>
  query(item: Item): Promise<unknown>
  close(): Promise<void>
}

export type OpenPeer = (dimension: number, count: number) => Promise<Peer>

/** The used part of an approximate vector index, as in hnswlib-node. */
export interface Hnsw {
  addPoint(vector: readonly number[], label: number): void
  searchKnn(vector: readonly number[], limit: number): { readonly neighbors: readonly number[] }
}

export interface Peers {
  readonly PEERS: Readonly<Record<string, OpenPeer>>
  openHnsw(dimension: number, count: number, ef: number): Promise<Hnsw>
}

export async function loadPeers(): Promise<Peers> {
  await mkdir(FOLDER, { recursive: true })
  for (const name of FILES) await copyFile(new URL(name, SOURCES), join(FOLDER, name))
  if (!existsSync(join(FOLDER, 'node_modules')))
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, timeout: INSTALL_MS_MAX })
  return (await import(pathToFileURL(join(FOLDER, 'adapters.mjs')).href)) as Peers
}
