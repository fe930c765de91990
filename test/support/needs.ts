/** External programs that tests need: where they are searched for, and what happens to tests without them. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import type { Test } from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

/** Debian package of each program. PostgreSQL is identified by the program that creates its files. */
const PACKAGES = {
  'nats-server': 'nats-server',
  'redis-server': 'redis-server',
  initdb: 'postgresql',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  haproxy: 'haproxy',
  'docker-compose': 'docker-compose',
  python3: 'python3',
  strace: 'strace',
  git: 'git',
  curl: 'curl'
} as const

export type ProgramName = keyof typeof PACKAGES
export const PROGRAMS = Object.keys(PACKAGES) as readonly ProgramName[]

export interface SkipOptions {
  readonly skip?: string
}

/** PostgreSQL refuses to run as root. */
export const POSTGRES_USER = 'postgres'

/** Folders of servers that an ordinary user's path may lack. */
const FOLDERS = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
/** Debian keeps PostgreSQL's programs off the path, in one folder per version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql'

/** Returns the path of the program; null if it is not found. */
export function findProgram(name: ProgramName): string | null {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  const path = process.env['PATH']?.split(delimiter) ?? []
  const folders = [...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')), ...path, ...FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

/** Why tests that need these programs cannot run here, with the command that installs the first missing one; null if they can. */
export function whyNot(...names: readonly ProgramName[]): string | null {
  const missing = names.find((name) => findProgram(name) === null)
  if (missing !== undefined) return `${missing} is not installed: apt-get install ${PACKAGES[missing]}`
  const lacksUser = names.includes('initdb') && process.getuid?.() === 0 && postgresAccount() === null
  return lacksUser ? `PostgreSQL does not run as root, and there is no user ${POSTGRES_USER}` : null
}

/** Options of a test that needs these programs. It is skipped with the reason if one is missing, except in CI, where it runs and fails. */
export function needs(...names: readonly ProgramName[]): SkipOptions {
  return skippedFor(whyNot(...names))
}

/** Options of a test that cannot run for this reason, if any. In CI it runs regardless. */
export function skippedFor(reason: string | null): SkipOptions {
  return reason === null || process.env['CI'] === 'true' ? {} : { skip: reason }
}

/** Declares that all further tests and set-ups of `t` need these programs. If one is missing, each test is skipped under its own name. */
export function allNeed(t: Test, ...names: readonly ProgramName[]): void {
  allSkippedFor(t, whyNot(...names))
}

/** Like `allNeed`, for any other reason. */
export function allSkippedFor(t: Test, reason: string | null): void {
  const options = skippedFor(reason)
  if (options.skip === undefined) return
  const { test } = t
  Object.assign(t, {
    test: (name: string) => Reflect.apply(test, t, [name, options]) as unknown,
    before: () => undefined,
    teardown: () => undefined
  })
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Account for running PostgreSQL when the tests run as root; null if there is none. */
export function postgresAccount(): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, POSTGRES_USER]))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
}
