import assert from 'node:assert/strict'
import {existsSync, globSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

for (const page of globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], {cwd: ROOT})) {
  test(`every link of ${page} leads to a file of the project`, () => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, target = '']) => target,
    )
    const broken = targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))
    assert.deepEqual(broken, [])
  })
}
