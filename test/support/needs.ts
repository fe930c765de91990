/** Programs that tests need and a machine may lack: where they are looked for, and what a test without them does. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import type { Test } from 'tap'
import { isExecutable } from '../../src/platform/executable.js'

/** Debian's package of each; PostgreSQL goes by the program that makes its files. */
const PACKAGES = {
  'nats-server': 'nats-server',
  'redis-server': 'redis-server',
  initdb: 'postgresql',
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
  if (missing !== undefined) return `${missing} is not installed: apt-get install ${PACKAGES[missing]}`
  const lacksUser = names.includes('initdb') && process.getuid?.() === 0 && postgresAccount() === null
  return lacksUser ? `PostgreSQL does not run as root, and there is no user ${POSTGRES_USER}` : null
}

/** Options of a test that needs these: it is skipped with the reason where one is missing, but in CI it runs, and fails. */
export function needs(...names: readonly ProgramName[]): SkipOptions {
  return skippedFor(whyNot(...names))
}

/** Options of a test that cannot run for this reason, if there is one; in CI it runs all the same. */
export function skippedFor(reason: string | null): SkipOptions {
  return reason === null || process.env['CI'] === 'true' ? {} : { skip: reason }
}

/** Every test and set-up of `t` from here on needs these: where one is missing, each test is skipped under its own name. */
export function allNeed(t: Test, ...names: readonly ProgramName[]): void {
  allSkippedFor(t, whyNot(...names))
}

/** The same for a reason of another kind, if there is one. */
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

/** Of the user as whom PostgreSQL runs when the tests run as root; null when there is none. */
export function postgresAccount(): Account | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, POSTGRES_USER]))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
}
