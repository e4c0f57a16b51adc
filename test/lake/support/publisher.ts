import type {TestContext} from 'node:test'
import {fileTextOf} from '../../../content/canonical.ts'
import {Publisher} from '../../../git/commit/publisher.ts'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import type {TestRepository} from './git.ts'
import {recordingLogger} from './log.ts'

export const ada = {name: 'Ada Lovelace', email: 'ada@example.com'}
/** The date of every publish, in seconds since 1970. */
export const day = 1_700_000_000

/** The file of a tool. */
export function toolText(id: string, value: unknown): string {
  return fileTextOf({_id: id, _type: 'tool', value})
}

/** A publisher on a repository, closed after the test. */
export async function publisherAt(context: TestContext, repository: TestRepository) {
  const {logger, warnings} = recordingLogger()
  const publisher = new Publisher({
    folder: await openContentDirectory(repository.directory),
    logger,
  })
  context.after(() => publisher.close())
  await publisher.recover()
  const head = async () => (await repository.git('rev-parse', '--verify', 'HEAD')).trim()
  return {
    publisher,
    warnings,
    head,
    /** Publishes on top of HEAD; undefined deletes. */
    publish: async (files: Record<string, string | undefined>, message = 'Publish content') =>
      publisher.publish(await head().catch(() => undefined), {
        files: new Map(Object.entries(files)),
        author: ada,
        message,
        seconds: day,
      }),
  }
}
