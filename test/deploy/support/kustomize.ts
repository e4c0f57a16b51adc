import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {join, relative} from 'node:path'
import {recordOf} from '../../support/answers.ts'
import {projectFile, readYaml} from './files.ts'

type Resource = Record<string, unknown>

/** The members that identify an element of a list when a patch is merged, for lists that Kubernetes merges. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
}

const KNOWN = [
  'apiVersion',
  'kind',
  'namespace',
  'resources',
  'patches',
  'images',
  'configMapGenerator',
  'generatorOptions',
]

/**
 * Builds a folder as `kubectl kustomize` does, for what our manifests use. Throws where kustomize would, such as for a folder
 * that contains another one that it uses.
 */
export async function kustomize(folder: string, visited: readonly string[] = []): Promise<Resource[]> {
  for (const one of visited)
    for (const path of [relative(folder, one), relative(one, folder)])
      assert.ok(path.startsWith('..'), `cycle detected: ${folder} and ${one}`)
  const [file, ...others] = (await readYaml(join(folder, 'kustomization.yaml'))).map(recordOf)
  assert.ok(file && others.length === 0)
  for (const name of Object.keys(file)) assert.ok(KNOWN.includes(name), `not supported here: ${name}`)
  const {disableNameSuffixHash} = recordOf(file.generatorOptions ?? {})

  const resources: Resource[] = []
  for (const name of listOf(file.resources).map(String)) {
    const path = join(folder, name)
    const isFile = name.endsWith('.yaml')
    resources.push(
      ...(isFile
        ? (await readYaml(inside(folder, name))).map(recordOf)
        : await kustomize(path, [...visited, folder])),
    )
  }
  for (const map of listOf(file.configMapGenerator).map(recordOf)) {
    assert.equal(disableNameSuffixHash, true, 'not supported here: names with a hash')
    const entries = listOf(map.files).map(async (name) => [
      name,
      await readFile(projectFile(inside(folder, String(name))), 'utf8'),
    ])
    const data: Resource = Object.fromEntries(await Promise.all(entries))
    resources.push({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: map.name}, data})
  }
  for (const {path} of listOf(file.patches).map(recordOf)) {
    for (const patch of (await readYaml(inside(folder, String(path)))).map(recordOf)) {
      const at = resources.findIndex((resource) => nameOf(resource) === nameOf(patch))
      assert.ok(at >= 0, `no matches for ${nameOf(patch)}`)
      resources[at] = recordOf(merged(resources[at], patch, ''))
    }
  }
  for (const resource of file.namespace === undefined ? [] : resources)
    resource.metadata = {...recordOf(resource.metadata), namespace: file.namespace}
  const names = resources.map(nameOf)
  assert.equal(new Set(names).size, names.length, 'may not add resource with an already registered id')
  return resources
}

/** kustomize reads no file outside of the folder. */
function inside(folder: string, name: string): string {
  assert.ok(!relative(folder, join(folder, name)).startsWith('..'), `${name} is not in or below ${folder}`)
  return join(folder, name)
}

function nameOf({kind, metadata}: Resource): string {
  return `${kind} ${recordOf(metadata).name}`
}

/** A strategic merge patch. Elements of the patch come first, as in kustomize. */
function merged(value: unknown, patch: unknown, member: string): unknown {
  if (Array.isArray(value) && Array.isArray(patch)) {
    const key = MERGE_KEYS[member]
    if (key === undefined) return patch
    const keyOf = (element: unknown) => recordOf(element)[key]
    const known = new Map(value.map((element) => [keyOf(element), element]))
    const patched = patch.map((element) => merged(known.get(keyOf(element)), element, ''))
    const changed = new Set(patch.map(keyOf))
    return [...patched, ...value.filter((element) => !changed.has(keyOf(element)))]
  }
  if (!isRecord(value) || !isRecord(patch)) return patch
  const members = Object.entries(patch).map(([name, inner]) => [name, merged(value[name], inner, name)])
  return {...value, ...Object.fromEntries(members)}
}

function isRecord(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
