import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {cp} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {LAYOUT} from '../../../cli/layout.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'
import {content} from '../../cli/support/run.ts'
import {projectFile} from '../../deploy/support/files.ts'
import {temporaryFolder, testRepository} from '../../lake/support/git.ts'
import {SHOP_CONTENT, shopDocuments} from '../../support/shop.ts'

test('the content of the demo shop follows every rule, and is in the files that the lake would write', async () => {
  const {code, out} = await content(['check'], SHOP_CONTENT)
  assert.equal(code, 0, out)
  for (const document of shopDocuments())
    for (const [path, text] of splitDocument(LAYOUT, {type: document._type, id: document._id}, document))
      assert.equal(readFileSync(join(SHOP_CONTENT, path), 'utf8'), text)
})

test('the command that removes the demo shop leaves no document of it, and the guide for agents', async (t) => {
  const [command] = /^git rm .+?(?= && )/m.exec(readFileSync(projectFile('docs/operations.md'), 'utf8')) ?? []
  assert.ok(command)
  const clone = testRepository(await temporaryFolder(t))
  await cp(SHOP_CONTENT, clone.directory, {recursive: true})
  await clone.git('init', '--quiet')
  await clone.git('add', '--all')
  execFileSync('sh', ['-c', command.replace('git rm', 'git rm --cached')], {cwd: clone.directory})
  const left = (await clone.git('ls-files')).trim().split('\n')
  assert.ok(left.includes('AGENTS.md'))
  assert.deepEqual(
    left.filter((path) => /^(?:site|tool|formTool)\//.test(path)),
    [],
  )
})
