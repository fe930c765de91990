/** Programs that tests need and a machine may lack: where they are looked for, and what a test without them does. */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Debian's package of each; PostgreSQL goes by the program that makes its files. */
const PACKAGES = {
  'nats-server': 'nats-server',
  'redis-server': 'redis-server',
  initdb: 'postgresql',
  promtool: 'prometheus',
  chromium: 'chromium',
  haproxy: 'haproxy',
  'docker-compose': 'docker-compose'
} as const

export type ProgramName = keyof typeof PACKAGES

/** Where servers are that an ordinary user's path may lack. */
const FOLDERS = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
/** Debian keeps PostgreSQL's programs apart from the path, one folder a version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql'

/** Path of the program; null when it is nowhere. */
export function findProgram(name: ProgramName): string | null {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  const path = process.env['PATH']?.split(delimiter) ?? []
  const folders = [...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')), ...path, ...FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

/** Why tests that need these cannot run here, with the command that installs the first of them that is missing; null when they can. */
export function whyNot(...names: readonly ProgramName[]): string | null {
  const missing = names.find((name) => findProgram(name) === null)
  return missing === undefined ? null : `${missing} is not installed: apt-get install ${PACKAGES[missing]}`
}

/** Options of a test that needs these: it is skipped with the reason where one is missing, but in CI it runs, and fails. */
export function needs(...names: readonly ProgramName[]): { readonly skip?: string } {
  const reason = whyNot(...names)
  return reason === null || process.env['CI'] === 'true' ? {} : { skip: reason }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
