import type {TestContext} from 'node:test'
import type {Document} from '../../../content/document.ts'
import {Layout} from '../../../content/layout/layout.ts'
import {assembleDocument, type Parsed} from '../../../content/parseDocument.ts'
import {ContentRepository} from '../../../content/repository.ts'
import type {Update} from '../../../content/store.ts'
import {Publisher} from '../../../git/commit/publisher.ts'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import type {TestRepository} from './git.ts'
import {recordingLogger} from './log.ts'
import {ada} from './publisher.ts'

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
export async function viewOf(context: TestContext, {directory}: TestRepository, layout = Layout.ONE_FILE) {
  const {logger, warnings} = recordingLogger()
  const folder = await openContentDirectory(directory)
  const repository = new ContentRepository(folder, layout, logger)
  const publisher = new Publisher({folder, logger})
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
    warnings,
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
export async function fromNothing(
  context: TestContext,
  repository: TestRepository,
  layout = Layout.ONE_FILE,
) {
  const view = await viewOf(context, repository, layout)
  await view.refresh()
  return sorted(view.documents)
}

export const sorted = (documents: ReadonlyMap<string, Document>) =>
  [...documents.values()].sort((a, b) => (a._id < b._id ? -1 : 1))
