/**
 * The image and the containers around it. There may be no container engine here, so the files are checked, with the tools that are
 * available.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
// Comes with Fastify's plugin for OpenAPI.
import { parse } from 'yaml'
import { variables } from '../../src/variables.js'
import { findProgram, needs } from '../support/needs.js'

interface Container {
  readonly image: string
  readonly profiles?: readonly string[]
  readonly ports?: readonly string[]
  readonly networks: readonly string[]
  readonly volumes?: readonly (string | { readonly source: string; readonly target: string })[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly [setting: string]: unknown
}

const text = readFileSync('docker-compose.yml', 'utf8')
const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>
  readonly volumes: object
  readonly networks: object
}
const containers = Object.entries(compose.services)
const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ')
const example = readFileSync('.env.example', 'utf8')

/** The arguments of each such instruction, in order. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, rest = '']) => rest)
}

/** Whether the container ends once its work is done. */
const isOneShot = (name: string) => name === 'nats-init'

t.test('compose file: accepted by docker-compose, with all secrets only', needs('docker-compose'), async (t) => {
  const needed = Object.fromEntries([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => [name, 'value']))
  const run = (secrets: object) =>
    spawnSync('docker-compose', ['--env-file', '.env.example', 'config', '--quiet'], {
      env: { PATH: process.env['PATH'], ...secrets },
      encoding: 'utf8'
    })
  const { status, stderr } = run(needed)
  t.equal(status, 0, stderr)
  t.match(run({}).stderr, 'set it in .env', 'the example fills nothing in')
})

t.test('containers: each of a pinned image, healthy by its own word, unable to write or to become more than it is', async (t) => {
  for (const [name, container] of containers) {
    t.match(container.image, /^[\w./-]+:v?\d+\.\d+\.?\d*(-\w+)?$/, name)
    t.match(
      container,
      {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: isOneShot(name) ? 'on-failure' : 'unless-stopped'
      },
      name
    )
    t.match(container, { mem_limit: String, cpus: Number, pids_limit: Number, stop_grace_period: '30s' }, name)
    t.ok(
      isOneShot(name) || container['healthcheck'] !== undefined || container['build'] === '.',
      `${name}: the image of a node has a check of its own`
    )
    t.notOk('privileged' in container || 'network_mode' in container, name)
    for (const [other, condition] of Object.entries(container.depends_on ?? {})) {
      t.strictSame(
        condition,
        { condition: isOneShot(other) ? 'service_completed_successfully' : 'service_healthy' },
        `${name} after ${other}`
      )
    }
  }
})

t.test('containers: one port is published, on this machine; databases and NATS are on the inner network alone', async (t) => {
  t.strictSame(
    containers.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port])),
    [['balancer', '127.0.0.1:8000:8000']]
  )
  t.match(compose.networks, { back: { internal: true } })
  for (const name of ['nats', 'postgres', 'redis', 'mongo']) t.strictSame(compose.services[name]?.networks, ['back'], name)
})

t.test('containers: what a plain start needs has no profile, each other database has its own', async (t) => {
  const profiles = containers
    .filter(([, container]) => container.profiles !== undefined)
    .map(([name, container]) => [name, container.profiles])
  t.strictSame(profiles, [
    ['redis', ['redis']],
    ['mongo', ['mongo']]
  ])
})

t.test('nodes: three under names of their own, each with a variable set that the service knows', async (t) => {
  const nodes = containers.filter(([name, { image }]) => image.startsWith('engram:') && !isOneShot(name))
  t.strictSame(
    nodes.map(([name, { environment }]) => [name, environment?.['SERVICE_NODE_ID']]),
    [
      ['n1', 'n1'],
      ['n2', 'n2'],
      ['n3', 'n3']
    ]
  )
  const known = new Set(Object.keys(variables.properties))
  for (const [name, { environment = {} }] of nodes) {
    t.strictSame(
      Object.keys(environment).filter((variable) => !known.has(variable)),
      [],
      name
    )
    t.match(environment['NATS_URL'], new RegExp(`^nats://${name}:\\$\\{NATS_PASSWORD_${name.toUpperCase()}:\\?`), 'its own user')
    for (const [variable, value] of Object.entries(environment)) {
      const schema = variables.properties[variable as keyof typeof variables.properties]
      if ('pattern' in schema && !value.includes('$')) t.match(value, new RegExp(String(schema.pattern)), variable)
    }
  }
})

t.test('streams of the outbox: made for every node by the operator’s user before any node starts', async (t) => {
  t.match(compose.services['nats-init'], {
    command: ['node', 'dist/src/cli/engram.js', 'nats-init', 'n1', 'n2', 'n3'],
    environment: { NATS_URL: 'nats://init:${NATS_PASSWORD_INIT:?set it in .env}@nats:4222' },
    networks: ['back']
  })
  for (const name of ['n1', 'n2', 'n3']) t.ok('nats-init' in (compose.services[name]?.depends_on ?? {}), name)
})

t.test('secrets: none in the file, each one named in the example and empty there', async (t) => {
  const used = [...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)
  const secrets = [...new Set(used)].filter((name) => /PASSWORD|KEY$/.test(name))
  t.ok(secrets.length >= 7)
  for (const name of secrets) {
    t.match(example, new RegExp(`^(# )?${name}=$`, 'm'), name)
    t.notMatch(text, new RegExp(`\\$\\{${name}:?-[^}]`), `${name} has no default`)
  }
  t.ok(readFileSync('.gitignore', 'utf8').split('\n').includes('.env'))
})

t.test('volumes: every file of the project that a container gets is there, and every other one is declared', async (t) => {
  for (const [name, { volumes = [] }] of containers) {
    const sources = volumes.filter((volume) => typeof volume === 'string').map((volume) => volume.split(':')[0] ?? '')
    // The folder for model weights is made when there is none.
    for (const source of sources.filter((one) => one !== './models')) {
      t.ok(source.startsWith('./') ? existsSync(source) : source in compose.volumes, `${name}: ${source}`)
    }
  }
})

const BALANCER = 'docs/operations/haproxy.cfg'

t.test('balancer: knows every node, and sends nothing twice that a node may have seen', async (t) => {
  const settings = readFileSync(BALANCER, 'utf8')
  for (const name of ['n1', 'n2', 'n3']) t.match(settings, `server ${name} ${name}:8000`)
  t.match(settings, /^\s+retry-on conn-failure$/m)
})

t.test('balancer: accepted by HAProxy', needs('haproxy'), async (t) => {
  const { status, stderr } = spawnSync(findProgram('haproxy') ?? 'haproxy', ['-c', '-f', BALANCER], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
})

t.test('image: pinned, built in stages, without a compiler or a user with rights, checked by Node.js itself', async (t) => {
  const stages = instructions('FROM')
  t.strictSame(
    stages.map((stage) => stage.split(' AS ')[1] ?? 'last'),
    ['base', 'build', 'dependencies', 'last']
  )
  for (const stage of stages.filter((one) => !one.startsWith('base'))) t.match(stage, /^node:20\.\d+\.\d+-bookworm-slim/)
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  t.notMatch(last, /^RUN/m)
  t.match(last, /^COPY --from=dependencies/m)
  t.match(last, /^USER node$/m)
  t.match(last, /^STOPSIGNAL SIGTERM$/m)
  t.match(last, /^CMD \["node", "dist\/src\/main\.js"\]$/m)
  t.match(last, /^HEALTHCHECK .*CMD \["node", "-e", ".*\/v1\/health/m)
  t.match(instructions('RUN').join('\n'), 'npm ci --omit=dev')
})

t.test('image: gets of the project what it copies, and nothing else', async (t) => {
  const [everything, ...kept] = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  t.equal(everything, '*')
  const copied = instructions('COPY')
    .filter((args) => !args.startsWith('--from'))
    .flatMap((args) => args.split(' ').slice(0, -1))
  t.strictSame(kept.map((line) => line.slice(1)).sort(), [...new Set(copied)].sort())
  for (const path of copied) t.ok(existsSync(path), path)
})

t.test('image: its health check run as it stands fails where nobody listens', async (t) => {
  const [, check = '[]'] = /CMD (\["node", "-e",.*\])$/m.exec(dockerfile) ?? []
  const [, ...args] = JSON.parse(check) as string[]
  t.equal(spawnSync(process.execPath, args, { env: { SERVICE_PORT: '1' } }).status, 1)
})
