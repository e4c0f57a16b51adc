import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {projectFile} from './support/files.ts'
import {readSettingDefaults, readSettingNames} from './support/settings.ts'

test('docs/configuration.md lists exactly the settings that the code reads', async () => {
  const page = await readFile(projectFile('docs/configuration.md'), 'utf8')
  const tables = page.match(/^\| Variable \|.*\n(?:\|.*\n)+/gm) ?? []
  const rows = tables.flatMap((table) => table.split('\n').slice(2))
  const documented = rows.flatMap((row) => {
    const [, first = ''] = row.split('|')
    return [...first.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  })
  const read = [...(await readSettingNames()).values()].flat()
  assert.deepEqual([...new Set(documented)].sort(), [...new Set(read)].sort())
})

test('docs/configuration.md names the defaults of the settings', async () => {
  const page = await readFile(projectFile('docs/configuration.md'), 'utf8')
  const documented = new Map<string, string>()
  for (const [, names = '', values = ''] of page.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)) {
    const defaults = values.match(/`[^`]+`/g) ?? []
    for (const [at, name] of (names.match(/[A-Z_]{3,}/g) ?? []).entries())
      documented.set(name, defaults[at]?.replaceAll('`', '') ?? 'none')
  }
  const wrong = [...(await readSettingDefaults())].filter(([name, value]) => documented.get(name) !== value)
  assert.deepEqual(wrong, [])
})
