import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {projectFile} from './support/files.ts'
import {readSettingNames} from './support/settings.ts'

test("README's table has every setting that the code reads, and no other", async () => {
  const readme = await readFile(projectFile('README.md'), 'utf8')
  const rows =
    readme
      .match(/^\| Variable \|[\s\S]*?\n\n/m)?.[0]
      .split('\n')
      .slice(2) ?? []
  const documented = rows.flatMap((row) => {
    const [, first = ''] = row.split('|')
    return [...first.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)
  })
  const read = [...(await readSettingNames()).values()].flat()
  assert.deepEqual([...new Set(documented)].sort(), [...new Set(read)].sort())
})
