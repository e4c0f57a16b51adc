import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {readFile} from 'node:fs/promises'
import {before, describe, test} from 'node:test'
import {isJsonObject} from '../../common/json.ts'
import {recordOf} from '../support/answers.ts'
import {parseYaml, projectFile, readManifestsText, readYaml} from './support/files.ts'

const BASE = 'deploy/kubernetes/base'

/** All resources of a text by their kinds and names. */
function resourcesIn(text: string): Map<string, unknown> {
  const resources = parseYaml(text).filter((resource) => resource !== null)
  const named = resources.map(recordOf).map((resource) => {
    return [`${resource.kind} ${recordOf(resource.metadata).name}`, resource] as const
  })
  assert.equal(new Map(named).size, resources.length)
  return new Map(named)
}

describe('the Helm chart', () => {
  let values: unknown
  let template: string
  let manifests: string

  before(async () => {
    ;[values] = await readYaml(`${BASE}/values.yaml`)
    template = await readFile(projectFile(`${BASE}/templates/handrail.yaml`), 'utf8')
    manifests = await readManifestsText(BASE)
  })

  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => recordOf(value)[name], values)

  test('makes the resources of the kustomize base, with Helm too where that is installed', () => {
    const [, pattern = ''] = /regexReplaceAll `\(\?m\)(.+?)`/.exec(template) ?? []
    const replaced = manifests.replaceAll(new RegExp(pattern, 'gm'), '$1$2')
    assert.doesNotMatch(replaced, /^ *[^ #].* # .*\{\{/m)
    const rendered = replaced.replaceAll(
      /\{\{ (toJson )?\.Values\.([\w.]+) \}\}/g,
      (_, json, path: string) => (json === undefined ? String(valueAt(path)) : JSON.stringify(valueAt(path))),
    )
    const args = ['template', 'handrail', BASE, '--kube-version', '1.29.0']
    const helm = spawnSync('helm', args, {cwd: projectFile('.'), encoding: 'utf8'})
    assert.ok(helm.error !== undefined || helm.status === 0, helm.stderr)
    for (const text of helm.error === undefined ? [rendered, helm.stdout] : [rendered])
      assert.deepEqual(resourcesIn(text), resourcesIn(manifests))
  })

  test('adds and leaves out nothing by default, and uses each of its values', () => {
    const text = manifests + template
    const conditions = text.matchAll(/\{\{- (if|with|range \$\w+, \$\w+ :=) \.Values\.([\w.]+) \}\}/g)
    for (const [, word, path = ''] of conditions) {
      const value = valueAt(path)
      if (word === 'if') assert.equal(value, true, path)
      else assert.ok(value === '' || Object.keys(recordOf(value)).length === 0, path)
    }
    const used = new Set(Array.from(text.matchAll(/\.Values\.([\w.]+)/g), ([, path]) => path))
    const unused = (value: unknown, path: string): string[] => {
      if (used.has(path)) return []
      if (!isJsonObject(value)) return [path]
      return Object.entries(value).flatMap(([name, inner]) => unused(inner, path + (path && '.') + name))
    }
    assert.deepEqual(unused(values, ''), [])
  })
})
