import assert from 'node:assert/strict'
import {subscribe, unsubscribe} from 'node:diagnostics_channel'
import {readFile} from 'node:fs/promises'
import {before, describe, test} from 'node:test'
import type {FastifyInstance} from 'fastify'
import {parseMapping} from '../../lake/access/oidc/mapping.ts'
import {commandHelp} from '../../lake/commands/commandLine.ts'
import {DRAIN} from '../../service/http/drain.ts'
import {recordOf} from '../support/answers.ts'
import {runHouse} from '../support/house.ts'
import {readStages, type Stage} from './support/dockerfile.ts'
import {listOf, membersIn, projectFile, readManifests, readYaml} from './support/files.ts'
import {CLOSING, readSettingNames} from './support/settings.ts'

const BASE = 'deploy/kubernetes/base'
const SINGLE_SIGN_ON = 'deploy/kubernetes/single-sign-on'

/** All values of members with this name. */
function valuesOf(value: unknown, name: string): unknown[] {
  return [...membersIn(value)].filter(([member]) => member === name).map(([, inner]) => inner)
}

/** The variables of a container. */
function envOf({env}: Record<string, unknown>): ReadonlyMap<string, unknown> {
  return new Map(
    listOf(env)
      .map(recordOf)
      .map(({name, value}) => [String(name), value]),
  )
}

/** The Service that gets requests for a path from outside. The longest path that matches wins. */
function publicAt(resources: Record<string, unknown>[], host: string, path: string): unknown {
  const rules = resources
    .filter(({kind}) => kind === 'Ingress')
    .flatMap(({spec}) => listOf(recordOf(spec).rules).map(recordOf))
  const [first] = rules
    .filter((rule) => rule.host === host)
    .flatMap(({http}) => listOf(recordOf(http).paths).map(recordOf))
    .filter(({path: known, pathType}) => {
      if (pathType === 'Exact') return path === known
      if (pathType === 'ImplementationSpecific') return new RegExp(`^${known}$`).test(path)
      return known === '/' || path === known || path.startsWith(`${known}/`)
    })
    .sort((a, b) => String(b.path).length - String(a.path).length)
  return first && recordOf(recordOf(first.backend).service).name
}

describe('the Kubernetes manifests', () => {
  let resources: Record<string, unknown>[]
  let stages: Map<string, Stage>

  before(async () => {
    resources = await readManifests(BASE)
    stages = await readStages()
  })

  /** The only resource of this kind and name. Asserts that there is exactly one. */
  function resource(kind: string, name: string): Record<string, unknown> {
    const found = resources.filter((one) => one.kind === kind && recordOf(one.metadata).name === name)
    assert.equal(found.length, 1, `${kind} ${name}`)
    return recordOf(found[0])
  }

  /** Each workload with its Pods and their one container. */
  function workloads() {
    return ['service', 'lake'].map((name) => {
      const spec = recordOf(resource('StatefulSet', `handrail-${name}`).spec)
      const pod = recordOf(recordOf(spec.template).spec)
      const [container, ...others] = listOf(pod.containers).map(recordOf)
      assert.ok(container && others.length === 0)
      const stage = stages.get(name)
      assert.ok(stage)
      const {labels, annotations} = recordOf(recordOf(spec.template).metadata)
      const env = envOf(container)
      return {name, spec, pod, container, stage, labels, annotations: recordOf(annotations), env}
    })
  }

  test('set only variables that the code reads, and take secrets only from files', async () => {
    const known = await readSettingNames()
    for (const {name, spec, container, env} of workloads()) {
      const settings = [
        ...(known.get(`${name}/settings.ts`) ?? []),
        ...(known.get(name === 'lake' ? 'studio/serviceOrigin.ts' : 'common/datasetSettings.ts') ?? []),
      ]
      const mounts = listOf(container.volumeMounts).map(recordOf)
      const folder = mounts.find((mount) => mount.name === 'secrets')?.mountPath
      const text = await readFile(projectFile(`${BASE}/${name}.yaml`), 'utf8')
      const offered = [...text.matchAll(/^ +# - \{name: (\w+), value: (\S+)\}$/gm)]
      assert.ok(offered.length > 1)
      const entries = [...env, ...offered.map(([, name = '', value]): [string, unknown] => [name, value])]
      for (const [variable, value] of entries) {
        const [, secret] = /^(\w+)_FILE$/.exec(variable) ?? []
        assert.ok(settings.includes(secret ?? variable), `${name} does not read ${variable}`)
        if (secret !== undefined) assert.equal(value, `${folder}/${secret}`)
        else {
          assert.equal(typeof value, 'string')
          assert.doesNotMatch(variable, /TOKEN|SECRET|REDIS_URL|GIT_REMOTE/)
        }
      }
      assert.doesNotMatch(JSON.stringify(spec), /secretKeyRef/)
    }
  })

  test('make public what is public, and nothing else', async (t) => {
    const house = await runHouse(t, [])
    const urls = new Set<string>()
    const record = (message: unknown) => {
      const {fastify}: {fastify?: FastifyInstance} = Object(message)
      fastify?.addHook('onRoute', ({url}) => void urls.add(url))
    }
    subscribe('fastify.initialization', record)
    await house.replica()
    unsubscribe('fastify.initialization', record)
    const paths = [...urls]
      .filter((url) => url.startsWith('/'))
      .map((url) => url.replaceAll(/:\w+/g, '0123456789abcdef'))
    for (const path of ['/snippet.js', '/snippet.0123456789abcdef.js', '/webhooks/sanity'])
      assert.ok(paths.includes(path))
    const isOperators = (path: string) => /^\/(?:metrics|readyz|healthz)$/.test(path)
    for (const path of [...paths, '/metrics', '/readyz', '/healthz', '/'])
      assert.equal(
        publicAt(resources, 'handrail.example', path),
        isOperators(path) || path === '/' ? undefined : 'handrail-service',
        path,
      )
    for (const path of ['/metrics', '/readyz', '/healthz', '/metrics/'])
      assert.equal(publicAt(resources, 'lake.example', path), 'handrail-nothing', path)
    for (const path of ['/', '/login', '/_streams', '/v2025-02-19/data/query/production'])
      assert.equal(publicAt(resources, 'lake.example', path), 'handrail-lake', path)
    const nothing = resource('Service', 'handrail-nothing')
    assert.ok(!('selector' in recordOf(nothing.spec)))
  })

  test('let only the ingress, Prometheus and, for the lake, the service connect', () => {
    for (const {name, container, labels} of workloads()) {
      const policy = recordOf(resource('NetworkPolicy', `handrail-${name}`).spec)
      assert.deepEqual(recordOf(policy.podSelector).matchLabels, labels)
      assert.deepEqual(policy.policyTypes, ['Ingress'])
      const [rule, ...others] = listOf(policy.ingress).map(recordOf)
      assert.equal(others.length, 0)
      assert.deepEqual(
        listOf(rule?.ports).map((port) => recordOf(port).port),
        listOf(container.ports).map((port) => recordOf(port).name),
      )
      const pods = valuesOf(rule?.from, 'podSelector').map((selector) => recordOf(selector).matchLabels)
      assert.deepEqual(pods, name === 'lake' ? [{app: 'handrail-service'}] : [])
    }
  })

  test('refer to ports, and to paths of probes and metrics, that exist', async (t) => {
    const house = await runHouse(t, [])
    for (const {name, container, stage, annotations, env} of workloads()) {
      const [port] = listOf(container.ports).map(recordOf)
      assert.equal(port?.containerPort, stage.ports[0], name)
      const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) =>
        recordOf(recordOf(container[probe]).httpGet),
      )
      // The usual job for annotated Pods sends no token.
      assert.ok(!env.has('METRICS_TOKEN_FILE'))
      for (const {port: probed} of probes) assert.equal(probed, port?.name)
      const address = name === 'lake' ? house.client.config().apiHost : house.serviceAddress
      for (const path of [...probes.map(({path}) => path), annotations['prometheus.io/path']])
        assert.equal((await fetch(`${address}${path}`)).status, 200, `${name} ${path}`)
      assert.equal(Number(annotations['prometheus.io/port']), port?.containerPort)
      const [servicePort] = listOf(recordOf(resource('Service', `handrail-${name}`).spec).ports).map(recordOf)
      assert.equal(servicePort?.port, port?.containerPort)
      assert.equal(servicePort?.targetPort, port?.name)
    }
  })

  test('select the intended Pods', () => {
    for (const {name, spec, labels} of workloads()) {
      for (const selector of [
        recordOf(recordOf(spec.selector).matchLabels),
        recordOf(recordOf(resource('Service', `handrail-${name}`).spec).selector),
      ])
        assert.deepEqual(selector, labels, name)
    }
    const budget = recordOf(resource('PodDisruptionBudget', 'handrail-service').spec)
    assert.deepEqual(recordOf(budget.selector).matchLabels, {app: 'handrail-service'})
    const scaled = recordOf(
      recordOf(resource('HorizontalPodAutoscaler', 'handrail-service').spec).scaleTargetRef,
    )
    resource(String(scaled.kind), String(scaled.name))
  })

  test('run without root, without privileges, and with read-only file systems except for volumes', () => {
    for (const {name, spec, pod, container, stage} of workloads()) {
      const {runAsNonRoot, runAsUser, runAsGroup} = recordOf(pod.securityContext)
      assert.deepEqual([runAsNonRoot, `${runAsUser}:${runAsGroup}`], [true, stage.user], name)
      const {allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities} = recordOf(
        container.securityContext,
      )
      assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem], [false, true], name)
      assert.deepEqual(capabilities, {drop: ['ALL']}, name)
      assert.equal(pod.automountServiceAccountToken, false)
      const mounted = listOf(container.volumeMounts).map((mount) => recordOf(mount).mountPath)
      const claims = valuesOf(spec.volumeClaimTemplates, 'name')
      const [kept] = listOf(container.volumeMounts).map(recordOf)
      const backups = name === 'lake' ? ['backups'] : []
      assert.deepEqual(claims, [kept?.name, ...backups], `${name} keeps its state`)
      for (const variable of ['SNAPSHOT_DIR', 'CONTENT_DIR']) {
        const path = stage.env[variable]
        if (path !== undefined) assert.ok(mounted.includes(`/${path.split('/')[1]}`), `${variable}=${path}`)
      }
    }
  })

  test('back up the lake next to it, and restore it to the volumes and with the rights of the lake', async () => {
    const lake = workloads().find(({name}) => name === 'lake')
    assert.ok(lake)
    const [backup] = listOf(lake.pod.initContainers).map(recordOf)
    assert.deepEqual(
      [backup?.image, backup?.restartPolicy, backup?.securityContext],
      [lake.container.image, 'Always', lake.container.securityContext],
    )
    const [job, ...others] = await readYaml('deploy/kubernetes/restore.yaml')
    assert.equal(others.length, 0)
    const pod = recordOf(recordOf(recordOf(recordOf(job).spec).template).spec)
    const [restore] = listOf(pod.containers).map(recordOf)
    assert.deepEqual(restore?.securityContext, lake.container.securityContext)
    assert.deepEqual(pod.securityContext, lake.pod.securityContext)
    assert.deepEqual(
      valuesOf(pod.volumes, 'claimName'),
      valuesOf(lake.spec.volumeClaimTemplates, 'name').map((name) => `${name}-handrail-lake-0`),
    )
    const mountsOf = (container: unknown) =>
      Object.fromEntries(
        listOf(recordOf(container).volumeMounts).map((mount) => [
          recordOf(mount).name,
          recordOf(mount).mountPath,
        ]),
      )
    assert.deepEqual(mountsOf(restore), {...mountsOf(lake.container), ...mountsOf(backup)})
    for (const [container, command] of [
      [backup, /node lake\/main\.mjs (backup .+?) &&/],
      [restore, /exec node lake\/main\.mjs (restore .+)$/],
    ] as const) {
      const [, words = ''] = command.exec(listOf(container?.command).join(' ')) ?? []
      assert.equal(commandHelp(words.split(' ')), undefined)
      assert.ok(words.includes(` ${mountsOf(container).backups}`))
    }
  })

  test('single sign-on changes the lake alone, and mounts valid rules where it reads them', async () => {
    const [{resources: bases, patches, configMapGenerator: maps} = {}] = (
      await readYaml(`${SINGLE_SIGN_ON}/kustomization.yaml`)
    ).map(recordOf)
    assert.deepEqual([bases, patches], [['../base'], [{path: 'lake.yaml'}]])
    const [patch, ...others] = (await readYaml(`${SINGLE_SIGN_ON}/lake.yaml`)).map(recordOf)
    assert.equal(others.length, 0)
    resource(String(patch?.kind), String(recordOf(patch?.metadata).name))
    const pod = recordOf(recordOf(recordOf(patch?.spec).template).spec)
    const [container, ...more] = listOf(pod.containers).map(recordOf)
    const lake = workloads().find(({name}) => name === 'lake')
    assert.deepEqual([container?.name, more], [lake?.container.name, []])

    const known = (await readSettingNames()).get('lake/settings.ts') ?? []
    const added = envOf(recordOf(container))
    for (const [name, value] of added) {
      assert.ok(!lake?.env.has(name) && known.includes(name.replace(/_FILE$/, '')), name)
      assert.equal(typeof value, 'string', name)
    }
    const [map] = listOf(maps).map(recordOf)
    assert.deepEqual(map?.files, ['rights.json'])
    const secrets = listOf(lake?.pod.volumes)
      .map(recordOf)
      .find(({name}) => name === 'secrets')
    const optional = valuesOf(secrets, 'configMap')
    assert.deepEqual(optional, [{name: map?.name, optional: true}])
    assert.equal(added.get('LAKE_OIDC_RIGHTS'), '/etc/handrail/secrets/rights.json')
    const rules = await readFile(projectFile(`${SINGLE_SIGN_ON}/rights.json`), 'utf8')
    assert.equal(parseMapping(JSON.parse(rules)).length, 3)
  })

  test('give both the token between them and the proxy to trust, and the service enough time to drain', () => {
    for (const {name, env, pod} of workloads()) {
      assert.ok(env.has('SANITY_API_TOKEN_FILE'), name)
      const volumes = listOf(pod.volumes).map(recordOf)
      const secrets = JSON.stringify(volumes.find((volume) => volume.name === 'secrets'))
      assert.match(secrets, /"(?:secretName|name)":"handrail"/, name)
      assert.equal(env.get('TRUSTED_PROXIES'), 'uniquelocal', name)
    }
    const [service] = workloads()
    assert.ok(service)
    assert.equal(service.env.get('SANITY_API_HOST'), 'http://handrail-lake:3333')
    assert.ok(Number(service.pod.terminationGracePeriodSeconds) >= DRAIN / 1_000 + CLOSING)
  })
})
