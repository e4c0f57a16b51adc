import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {temporaryRepository} from '../lake/support/git.ts'
import {toolText} from '../lake/support/publisher.ts'
import {fromNothing, sorted, viewOf} from '../lake/support/view.ts'
import {runs} from '../runner/runs.ts'

test('after alternating publishes and commits, a fresh start sees the same documents', async (context) => {
  const id = fc.constantFrom('a', 'b', 'c', 'd')
  const value = fc.option(fc.constantFrom('x', 'y', 'z'), {nil: undefined})
  const turn = fc.record({
    who: fc.constantFrom('lake', 'lake', 'lake', 'git', 'reset'),
    files: fc.dictionary(id, value, {minKeys: 1, maxKeys: 3}),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, {minLength: 3, maxLength: 6}), async (turns) => {
      const repository = await temporaryRepository(context)
      await repository.commit({'README.md': 'Start'}, 1_600_000_000)
      const view = await viewOf(context, repository)
      await view.refresh()
      for (const {who, files} of turns) {
        const texts = Object.fromEntries(
          Object.entries(files).map(([name, text]) => [
            `tool/${name}.json`,
            text === undefined ? undefined : toolText(name, text),
          ]),
        )
        if (who === 'lake') {
          await view.publish(texts)
          continue
        }
        if (who === 'reset') {
          const count = Number(await repository.git('rev-list', '--count', '--first-parent', 'HEAD'))
          await repository.git('update-ref', 'HEAD', `HEAD~${Math.min(2, count - 1)}`)
          await view.refresh()
          continue
        }
        const present = new Set((await repository.git('ls-tree', '-r', '--name-only', 'HEAD')).split('\n'))
        const possible = Object.entries(texts).filter(
          ([path, text]) => text !== undefined || present.has(path),
        )
        await repository.commit(Object.fromEntries(possible), 1_650_000_000)
        await view.refresh()
      }
      deepEqual(sorted(view.documents), await fromNothing(context, repository))
    }),
    {numRuns: runs(6)},
  )
})
