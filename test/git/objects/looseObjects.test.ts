import {deepEqual} from 'node:assert/strict'
import {readdir, rmdir} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {gitObject, LooseObjectWriter} from '../../../git/objects/looseObjects.ts'
import {temporaryRepository} from '../../lake/support/git.ts'

test('objects are written while Git removes the folders that are empty', async (context) => {
  const {directory, git} = await temporaryRepository(context)
  const folder = join(directory, 'objects')
  const writer = new LooseObjectWriter(directory)
  const objects = Array.from({length: 100}, (_, number) =>
    gitObject('sha1', 'blob', [Buffer.from(`${number}`)]),
  )
  let isDone = false
  /** Removes each folder a few times: Git does so once for each pass over the folders. */
  const removeEmptyFolders = async () => {
    const removed = new Map<string, number>()
    while (!isDone) {
      for (const name of await readdir(folder)) {
        const times = removed.get(name) ?? 0
        if (name.length !== 2 || times === 5) continue
        const isRemoved = await rmdir(join(folder, name)).then(
          () => true,
          () => false,
        )
        if (isRemoved) removed.set(name, times + 1)
      }
    }
  }
  const removing = removeEmptyFolders()
  try {
    for (const object of objects) await writer.write([object])
  } finally {
    isDone = true
    await removing
  }
  const written = (await git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)'))
    .trim()
    .split('\n')
  deepEqual(written, objects.map(({id}) => id).sort())
})
