import assert from 'node:assert/strict'
import {execFileSync, spawnSync} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import {recordOf} from '../support/answers.ts'
import {parseYaml, projectFile, readManifestsText} from './support/files.ts'

const BASE = 'deploy/kubernetes/base'

/** “updates to statefulset spec for fields other than … are forbidden” (Kubernetes 1.33). */
const CHANGEABLE: readonly string[] = [
  ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'minReadySeconds'],
  'persistentVolumeClaimRetentionPolicy',
]

/** What `kubectl apply` cannot do by itself when it replaces some manifests by others. */
function stepsBetween(before: string, after: string): string[] {
  const next = resourcesIn(after)
  return [...resourcesIn(before)].flatMap(([name, resource]) => {
    const replaced = next.get(name)
    if (replaced === undefined) return [`kubectl -n handrail delete ${name}`]
    const isSame = isDeepStrictEqual(fixedFields(resource), fixedFields(replaced))
    return isSame ? [] : [`kubectl -n handrail delete ${name} --cascade=orphan`]
  })
}

function resourcesIn(text: string): Map<string, Record<string, unknown>> {
  const named = parseYaml(text)
    .map(recordOf)
    .map((resource) => {
      return [`${resource.kind}/${recordOf(resource.metadata).name}`.toLowerCase(), resource] as const
    })
  return new Map(named)
}

/** The fields that the API refuses to change. */
function fixedFields({kind, spec}: Record<string, unknown>): unknown {
  if (kind !== 'StatefulSet') return kind
  return Object.entries(recordOf(spec)).filter(([name]) => !CHANGEABLE.includes(name))
}

test('manifests that change a volume or leave out a resource need a step, others do not', async () => {
  const now = await readManifestsText(BASE)
  const larger = now.replace('storage: 20Gi', 'storage: 30Gi')
  const without = now.replace('name: backups\n      spec:', 'name: copies\n      spec:')
  const others = now.replaceAll(/image: .+/g, 'image: other').replace('periodSeconds: 2', 'periodSeconds: 3')
  assert.notEqual(others, now)
  for (const changed of [larger, without])
    assert.deepEqual(stepsBetween(now, changed), [
      'kubectl -n handrail delete statefulset/handrail-lake --cascade=orphan',
    ])
  assert.deepEqual(stepsBetween(now, others), [])
  const [first = ''] = now.split(/^---$/m)
  const gone = stepsBetween(now, now.slice(first.length))
  assert.deepEqual(gone, ['kubectl -n handrail delete statefulset/handrail-service'])
})

test('the changelog has each step that the manifests need since the last release', async () => {
  const cwd = projectFile('.')
  // Not the tag of this commit, in the workflow that releases it.
  const args = ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD~']
  const {status, stdout} = spawnSync('git', args, {cwd, encoding: 'utf8'})
  // Before the first release, there is nothing to upgrade from.
  if (status !== 0) return
  const tag = stdout.trim()
  const readTagged = async (path: string) =>
    execFileSync('git', ['show', `${tag}:${path}`], {cwd, encoding: 'utf8'})
  const steps = stepsBetween(await readManifestsText(BASE, readTagged), await readManifestsText(BASE))
  const [news = ''] = (await readFile(projectFile('CHANGELOG.md'), 'utf8')).split(`\n## ${tag.slice(1)}`)
  const missing = steps.filter((step) => !news.includes(step))
  assert.deepEqual(missing, [], `CHANGELOG.md, “Upgrade” since ${tag}, lacks steps`)
})
