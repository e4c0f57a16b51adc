import {deepEqual, equal, ok} from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import fc from 'fast-check'
import {fileTextOf} from '../../../lake/documents/canonical.ts'
import {DOCUMENT_RULES} from '../../../lake/documents/contentRules.ts'
import type {Document} from '../../../lake/documents/document.ts'
import {Layout} from '../../../lake/documents/layout/layout.ts'
import {assembleDocument, type Parsed} from '../../../lake/documents/parseDocument.ts'
import {ContentRepository} from '../../../lake/documents/repository.ts'
import type {Update} from '../../../lake/documents/store.ts'
import {Publisher} from '../../../lake/git/commit/publisher.ts'
import {openContentDirectory} from '../../../lake/git/openContentDirectory.ts'
import {type TestRepository, temporaryRepository} from '../support/git.ts'
import {recordingLogger} from '../support/log.ts'
import {ada, toolText} from '../support/publisher.ts'

/** The documents of some files, each of which is a whole document. */
function parsedFrom(texts: Record<string, string | undefined>): Map<string, Parsed | undefined> {
  return new Map(
    Object.entries(texts).map(([path, text]) => {
      const place = Layout.ONE_FILE.placeOf(path)
      if (place === undefined || text === undefined) return [path, undefined]
      return [path, assembleDocument(Layout.ONE_FILE, place, new Map([[path, Buffer.from(text)]]))]
    }),
  )
}

/** A lake's view of a repository, accumulated from the changes it was told of. */
async function viewOf(context: TestContext, {directory}: TestRepository) {
  const {logger} = recordingLogger()
  const folder = await openContentDirectory(directory)
  const repository = new ContentRepository(folder, logger)
  const publisher = new Publisher({folder, rules: DOCUMENT_RULES, logger})
  context.after(() => publisher.close())
  const documents = new Map<string, Document>()
  const take = (update: Update | undefined) => {
    for (const [id, document] of update?.documents ?? []) {
      if (document === undefined) documents.delete(id)
      else documents.set(id, document)
    }
    return update
  }
  let seconds = 1_700_000_000
  return {
    repository,
    publisher,
    documents,
    refresh: async () => take(await repository.refresh()),
    /** Publishes texts by path and adopts the result without reading it from Git. */
    async publish(texts: Record<string, string | undefined>) {
      seconds += 60
      const files = new Map(Object.entries(texts))
      const message = 'Publish content'
      const published = await publisher.publish(repository.head, {files, author: ada, message, seconds})
      return take(repository.adopt(published, parsedFrom(texts)))
    },
  }
}

/** Sorted, to compare with a fresh start. */
async function fromNothing(context: TestContext, repository: TestRepository) {
  const view = await viewOf(context, repository)
  await view.refresh()
  return sorted(view.documents)
}

const sorted = (documents: ReadonlyMap<string, Document>) =>
  [...documents.values()].sort((a, b) => (a._id < b._id ? -1 : 1))

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
  deepEqual(sorted(view.documents), await fromNothing(context, repository))
})

test('a deletion is visible immediately', async (context) => {
  const repository = await temporaryRepository(context)
  const view = await viewOf(context, repository)
  await view.publish({'tool/a.json': toolText('a', 'first')})
  const update = await view.publish({'tool/a.json': undefined})
  ok(update?.documents.has('a'))
  equal(update?.documents.get('a'), undefined)
  equal(await view.refresh(), undefined)
})

test('a document that changes its type has the new type immediately', async (context) => {
  const repository = await temporaryRepository(context)
  const view = await viewOf(context, repository)
  await view.publish({'tool/a.json': toolText('a', 'a tool')})
  const site = fileTextOf({_id: 'a', _type: 'site'})
  await view.publish({'tool/a.json': undefined, 'site/a.json': site})
  equal(view.documents.get('a')?._type, 'site')
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
        await view.publisher.settled()
        if (who === 'reset') {
          const count = Number(await repository.git('rev-list', '--count', '--first-parent', 'HEAD'))
          await repository.git('reset', '--quiet', '--hard', `HEAD~${Math.min(2, count - 1)}`)
          await view.refresh()
          continue
        }
        const present = new Set((await repository.git('ls-files')).split('\n'))
        const possible = Object.entries(texts).filter(
          ([path, text]) => text !== undefined || present.has(path),
        )
        await repository.commit(Object.fromEntries(possible), 1_650_000_000)
        await view.refresh()
      }
      deepEqual(sorted(view.documents), await fromNothing(context, repository))
    }),
    {numRuns: 6},
  )
})
