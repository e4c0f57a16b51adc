import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import {fileTextOf} from '../../content/canonical.ts'
import {temporaryRepository} from '../lake/support/git.ts'
import {ada, toolText} from '../lake/support/publisher.ts'
import {fromNothing, parsedFrom, sorted, viewOf} from '../lake/support/view.ts'

test('published documents are visible immediately, and a refresh finds no further change', async (context) => {
  const repository = await temporaryRepository(context)
  const view = await viewOf(context, repository)
  equal(await view.refresh(), undefined)
  const update = await view.publish({'tool/a.json': toolText('a', 'first')})
  deepEqual([update?.id, update?.identity], [view.repository.head, 'ada@example.com'])
  deepEqual([...(update?.documents.keys() ?? [])], ['a'])
  equal(await view.refresh(), undefined)
  await view.publish({'tool/a.json': toolText('a', 'second'), 'tool/b.json': toolText('b', 'new')})
  equal(view.documents.get('a')?._createdAt, '2023-11-14T22:14:20Z')
  equal(view.documents.get('a')?._updatedAt, '2023-11-14T22:15:20Z')
  const site = fileTextOf({_id: 'a', _type: 'site'})
  await view.publish({'tool/a.json': undefined, 'site/a.json': site, 'tool/b.json': undefined})
  deepEqual([view.documents.get('a')?._type, view.documents.get('b')], ['site', undefined])
  deepEqual(sorted(view.documents), await fromNothing(context, repository))
})

test('a commit adopted without its parent is read in full by the next refresh', async (context) => {
  const repository = await temporaryRepository(context)
  const view = await viewOf(context, repository)
  await view.refresh()
  await repository.commit({'tool/unseen.json': toolText('unseen', 'by hand')})
  const parent = (await repository.git('rev-parse', 'HEAD')).trim()
  const files = {'tool/a.json': toolText('a', 'first')}
  const publication = {
    files: new Map(Object.entries(files)),
    author: ada,
    message: 'Publish a',
    seconds: 1_700_000_000,
  }
  view.repository.adopt(await view.publisher.publish(parent, publication), parsedFrom(files))
  await view.refresh()
  deepEqual(sorted(view.documents), await fromNothing(context, repository))
})
