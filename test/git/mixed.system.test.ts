import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {HeadMovedError} from '../../git/errors.ts'
import {listTree} from '../../git/read/trees.ts'
import {temporaryRepository} from '../lake/support/git.ts'
import {ada, day, publisherAt} from '../lake/support/publisher.ts'

/** Seeded: the same numbers in each run. */
function randomly(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('100 publishes mixed with a person’s commits and changes of the branch all reach their branches', async (context) => {
  const random = randomly(7)
  const repository = await temporaryRepository(context)
  const {git, directory} = repository
  await repository.commit({'README.md': 'Start'})
  await git('branch', 'other')
  const {publisher, warnings, head} = await publisherAt(context, repository)
  /** The expected texts of each branch. */
  const branches = {main: new Map<string, string>(), other: new Map<string, string>()}
  let branch: 'main' | 'other' = 'main'
  let parent = await head()
  const publish = async (files: Map<string, string | undefined>, message: string) => {
    parent = (await publisher.publish(parent, {files, author: ada, message, seconds: day})).commit
    for (const [path, text] of files) {
      if (text === undefined) branches[branch].delete(path)
      else branches[branch].set(path, text)
    }
  }

  for (let count = 0; count < 100; count += 1) {
    const files = new Map<string, string | undefined>()
    for (let file = random(3); file >= 0; file -= 1) {
      const path = `${['tool', 'tool-form', 'site'][random(3)]}/d${random(12)}.json`
      files.set(path, random(4) === 0 ? undefined : `${count} ${random(5)}`)
    }
    if (random(12) === 0) {
      if (random(2) === 0) {
        branch = branch === 'main' ? 'other' : 'main'
        await git('symbolic-ref', 'HEAD', `refs/heads/${branch}`)
      } else {
        const path = `tool/by-hand-${random(3)}.json`
        await repository.commit({[path]: `by hand ${count}`})
        branches[branch].set(path, `by hand ${count}`)
      }
      const error = await publish(files, 'Too late').catch((failure: unknown) => failure)
      // Two branches may be at one commit; then the publish is not outdated.
      if (error !== undefined) equal(error instanceof HeadMovedError, true, String(error))
      parent = await head()
    }
    await publish(files, `Publish ${count}`)
  }

  await git('fsck', '--strict', '--no-dangling')
  for (const name of ['main', 'other'] satisfies (keyof typeof branches)[]) {
    const tree = await listTree(directory, name, (path) => path.endsWith('.json'))
    deepEqual([...tree.keys()].sort(), [...branches[name].keys()].sort())
    for (const [path, text] of branches[name]) equal(await git('show', `${name}:${path}`), text)
  }
  deepEqual(warnings, [])
})
