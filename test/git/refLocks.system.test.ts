import assert from 'node:assert/strict'
import {rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {runLake} from '../lake/support/lake.ts'

test('the editor’s error names the lock of a killed Git command without an absolute path', async (t) => {
  const {repository, client} = await runLake(t, {'page/a.json': {_id: 'a', _type: 'page'}})
  const publish = () => client.create({_id: 'b', _type: 'page'})
  for (const name of ['HEAD.lock', 'refs/heads/main.lock']) {
    const lock = join(repository.directory, name)
    await writeFile(lock, '')
    await assert.rejects(publish(), (error: unknown) => {
      assert.ok(error instanceof Error)
      assert.match(
        error.message,
        /Nothing was published: another Git command holds (HEAD|main)\.lock in the content/,
      )
      assert.ok(!error.message.includes(repository.directory))
      return true
    })
    await rm(lock)
  }
  await publish()
})
