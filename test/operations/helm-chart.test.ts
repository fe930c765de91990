/**
 * The Helm chart, rendered by an implementation of a subset of its language (`test/support/helm`), since there is no Helm here. Every
 * manifest is checked against the schemas of Kubernetes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import t from 'tap'
import { readConfig } from '../../src/config.js'
import { variables } from '../../src/variables.js'
import { type Manifest, readChart, type Values } from '../support/helm/helm-chart.js'
import { TemplateRefusal } from '../support/helm/template-functions.js'

const FOLDER = 'deploy/helm/engram'
const chart = readChart(FOLDER)

const LICENCE = { licence: { publicKeySecret: { name: 'licence' } } }
const ONE = LICENCE
const THREE = {
  ...LICENCE,
  replicaCount: 3,
  storage: { kind: 'postgres', urlSecret: { name: 'database' } },
  nats: { address: 'nats:4222', passwordSecret: { name: 'nats' }, init: { urlSecret: { name: 'nats-init' } } },
  metrics: { credentialsSecret: { name: 'metrics' }, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  ingress: { enabled: true, className: 'nginx', host: 'memory.example', tlsSecret: 'certificate', annotations: { 'a/b': 'c' } },
  readiness: { tokenSecret: { name: 'readiness' } },
  networkPolicy: { enabled: true, from: [{ podSelector: { matchLabels: { app: 'chat' } } }] },
  models: { existingClaim: 'weights' },
  secretConfig: [{ name: 'SERVICE_UPSTREAM_API_KEY', secret: 'upstream', key: 'token' }],
  imagePullSecrets: [{ name: 'registry' }],
  podLabels: { team: 'memory' },
  podAnnotations: { note: 'yes' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high'
}
const ANONYMOUS = { licence: { anonymous: true }, storage: { kind: 'redis', urlSecret: { name: 'redis' } } }

type Model = new (data: never) => { validate(): void }
const MODELS: Readonly<Record<string, Model>> = {
  ConfigMap,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  StatefulSet
}

interface Container {
  readonly image: string
  readonly command?: readonly string[]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly [field: string]: unknown
}

interface PodSpec {
  readonly containers: readonly [Container]
  readonly terminationGracePeriodSeconds: number
  readonly volumes: readonly { readonly name: string }[]
  readonly [field: string]: unknown
}

const kinds = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).sort()
const only = (manifests: readonly Manifest[], kind: string): Manifest => {
  const [found] = manifests.filter((manifest) => manifest.kind === kind)
  if (found === undefined) throw new Error(`No ${kind}`)
  return found
}
const podOf = (manifest: Manifest) => (manifest['spec'] as { template: { spec: PodSpec } }).template.spec
const dataOf = (values: Values) => only(chart.manifests(values), 'ConfigMap')['data'] as Readonly<Record<string, string>>

t.test('chart: is of the version of the service', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.match(chart.about, { apiVersion: 'v2', name: 'engram', version, appVersion: version })
})

for (const [name, values] of Object.entries({ ONE, THREE, ANONYMOUS })) {
  t.test(`chart, ${name.toLowerCase()}: every manifest is what Kubernetes takes`, async (t) => {
    t.equal(chart.refusalOf(values), null)
    const manifests = chart.manifests(values)
    t.ok(manifests.length >= 4)
    for (const manifest of manifests) {
      t.match(manifest.metadata, { name: /^memory-engram/, namespace: 'apps', labels: { 'app.kubernetes.io/instance': 'memory' } })
      const model = MODELS[manifest.kind]
      // Of the operator of Prometheus, whose schema is not among them.
      if (manifest.kind === 'ServiceMonitor') continue
      if (model === undefined) throw new Error(`No schema of ${manifest.kind}`)
      t.doesNotThrow(() => new model(manifest as never).validate(), manifest.kind)
    }
    t.match(chart.render(values).get('NOTES.txt'), /start as memory-engram in apps/)
  })
}

t.test('chart: has of each kind what the values ask for', async (t) => {
  t.strictSame(kinds(chart.manifests(ONE)), ['ConfigMap', 'Service', 'Service', 'StatefulSet'])
  t.strictSame(kinds(chart.manifests(THREE)), [
    'ConfigMap',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'Service',
    'ServiceMonitor',
    'StatefulSet'
  ])
})

t.test('schemas of Kubernetes: refuse what the chart might get wrong', async (t) => {
  const set = only(chart.manifests(ONE), 'StatefulSet')
  const spec = set['spec'] as object
  t.throws(() => new StatefulSet({ ...set, spec: { ...spec, replicas: 'three' } } as never).validate(), /replicas/)
  t.throws(() => new StatefulSet({ ...set, spec: { ...spec, selector: undefined } } as never).validate(), /selector/)
})

t.test('settings: each variable is one that the service knows, with a value that it takes', async (t) => {
  const known = new Set(Object.keys(variables.properties))
  for (const values of [ONE, THREE, ANONYMOUS]) {
    const { env } = podOf(only(chart.manifests(values), 'StatefulSet')).containers[0]
    const own = new Set(['NATS_PASSWORD', 'READINESS_TOKEN'])
    const names = [...Object.keys(dataOf(values)), ...env.map(({ name }) => name)]
    t.strictSame(
      names.filter((name) => !known.has(name) && !own.has(name)),
      []
    )
    t.equal(new Set(names).size, names.length, 'each once')
  }
  const secret = {
    DATABASE_URL: 'postgres://db/engram',
    NATS_URL: 'nats://memory-engram-0:p@nats:4222',
    SERVICE_NODE_ID: 'memory-engram-0'
  }
  t.match(readConfig({ ...dataOf(THREE), ...secret, SERVICE_LICENSE_PUBLIC_KEY: 'key' }), { nodes: { nodeId: 'memory-engram-0' } })
  t.match(dataOf(ANONYMOUS), { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_SESSION_BACKEND: 'redis', SERVICE_ALLOWED_HOSTS: /apps\.svc,/ })
})

t.test('nodes: named for their pods, each a user of NATS of that name', async (t) => {
  const { env } = podOf(only(chart.manifests(THREE), 'StatefulSet')).containers[0]
  const of = (name: string) => env.find((one) => one.name === name)
  t.match(of('SERVICE_NODE_ID'), { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } })
  t.equal(of('NATS_URL')?.value, 'nats://$(SERVICE_NODE_ID):$(NATS_PASSWORD)@nats:4222')
  const order = env.map(({ name }) => name)
  for (const name of ['SERVICE_NODE_ID', 'NATS_PASSWORD'])
    t.ok(order.indexOf(name) < order.indexOf('NATS_URL'), `${name} before what it is part of`)
  const { command = [] } = podOf(only(chart.manifests(THREE), 'Job')).containers[0]
  t.strictSame(command.slice(2), ['nats-init', 'memory-engram-0', 'memory-engram-1', 'memory-engram-2'])
  t.ok(existsSync((command[1] ?? '').replace(/^dist\/(.*)\.js$/, '$1.ts')), 'a program of the image')
})

t.test('pods: without rights, with a root that cannot be written, probed, and with time to end in order', async (t) => {
  for (const kind of ['StatefulSet', 'Job']) {
    const pod = podOf(only(chart.manifests(THREE), kind))
    const [container] = pod.containers
    t.match(pod, {
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
    })
    t.match(container, {
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      resources: { limits: { memory: String } },
      image: `engram:${String(chart.about['appVersion'])}`
    })
  }
  const pod = podOf(only(chart.manifests(THREE), 'StatefulSet'))
  t.match(pod.containers[0], {
    startupProbe: { httpGet: { path: '/v1/health', port: 'http' } },
    livenessProbe: { httpGet: { path: '/v1/health' } },
    lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } }
  })
  t.ok(pod.terminationGracePeriodSeconds >= 35)
  t.strictSame(
    pod.volumes.map(({ name }) => name),
    ['tmp', 'licence', 'models']
  )
})

t.test('secrets: only ever referred to', async (t) => {
  for (const { name, value } of podOf(only(chart.manifests(THREE), 'StatefulSet')).containers[0].env) {
    if (value !== undefined) t.notMatch(value.replaceAll(/\$\(\w+\)/g, ''), /:[^/@]+@/, name)
  }
  t.notOk('Secret' in Object.fromEntries(chart.manifests(THREE).map(({ kind }) => [kind, true])))
})

t.test('ingress: passes what callers are meant to use, and no metrics', async (t) => {
  const { rules } = only(chart.manifests(THREE), 'Ingress')['spec'] as { rules: [{ http: { paths: { path: string }[] } }] }
  const paths = rules[0].http.paths.map(({ path }) => path)
  t.ok(paths.includes('/v1') && paths.includes('/compat/v1'))
  t.notOk(paths.some((path) => '/metrics'.startsWith(path)))
})

t.test('values: what cannot work together is refused with a sentence', async (t) => {
  const refused = (values: Values, reason: RegExp) => {
    const found = (() => {
      try {
        chart.render(values)
        return null
      } catch (error) {
        return error
      }
    })()
    t.ok(found instanceof TemplateRefusal, String(reason))
    t.match((found as Error).message, reason)
  }
  refused({}, /licence\.publicKeySecret\.name is missing/)
  refused({ ...LICENCE, storage: { kind: 'redis' } }, /storage\.urlSecret\.name is missing/)
  refused({ ...LICENCE, replicaCount: 2 }, /a storage that the nodes share/)
  refused({ ...THREE, nats: {} }, /needs NATS/)
  refused({ ...THREE, nats: { address: 'nats:4222' } }, /nats\.passwordSecret\.name is missing/)
  refused({ ...LICENCE, ingress: { enabled: true } }, /ingress\.host is missing/)
  refused({ ...LICENCE, terminationGracePeriodSeconds: 35, preStopSeconds: 10 }, /too short/)
  refused({ ...LICENCE, metrics: { serviceMonitor: { enabled: true } } }, /metrics\.credentialsSecret\.name is missing/)
})

t.test('values: the schema refuses what is misspelt, out of range or of another type', async (t) => {
  t.match(chart.refusalOf({ replicas: 3 }), /additional properties/)
  t.match(chart.refusalOf({ replicaCount: 33 }), /replicaCount must be <= 32/)
  t.match(chart.refusalOf({ storage: { kind: 'sqlite' } }), /storage\/kind/)
  t.match(chart.refusalOf({ config: { service_port: '1' } }), /config/)
  t.match(chart.refusalOf({ image: { digest: 'latest' } }), /image\/digest/)
})
