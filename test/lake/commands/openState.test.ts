import assert from 'node:assert/strict'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {openStateForCommand} from '../../../lake/commands/openState.ts'
import {temporaryFolder} from '../support/git.ts'

test('a command before the first start of a lake is refused, because the start decides on the content', async (t) => {
  const folder = await temporaryFolder(t)
  for (const contentDir of [folder, join(folder, 'missing')])
    await assert.rejects(
      openStateForCommand(contentDir),
      /has no content repository yet: start the lake, then/,
    )
  assert.deepEqual(await readdir(folder), [])
})
