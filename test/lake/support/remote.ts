import {equal} from 'node:assert/strict'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {DOCUMENT_RULES} from '../../../lake/documents/contentRules.ts'
import {openContentDirectory} from '../../../lake/git/openContentDirectory.ts'
import {type PushState, RemoteSync, type RemoteSyncParts} from '../../../lake/git/remote/remoteSync.ts'
import {type TestRepository, temporaryFolder, temporaryRepository, testRepository} from './git.ts'
import {recordingLogger} from './log.ts'
import {publisherAt, toolText} from './publisher.ts'

export const lines = (changes: Record<number, string> = {}) =>
  `${Array.from({length: 20}, (_, line) => changes[line] ?? `line ${line}`).join('\n')}\n`

/** A content repository, a bare one it is pushed to, and a person's clone of the bare one. */
export async function trio(context: TestContext, parts: Partial<RemoteSyncParts> = {}) {
  const remote = testRepository(await temporaryFolder(context))
  await remote.git('init', '--quiet', '--bare', '--initial-branch=main')
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'first'), 'notes.txt': lines()})
  await repository.git('push', '--quiet', remote.directory, 'main')
  const person = testRepository(join(await temporaryFolder(context), 'clone'))
  await repository.git('clone', '--quiet', remote.directory, person.directory)
  const {publisher, publish, warnings, head} = await publisherAt(context, repository)
  const {logger, warnings: log} = recordingLogger()
  const pusher = new RemoteSync({
    folder: await openContentDirectory(repository.directory),
    publisher,
    rules: DOCUMENT_RULES,
    remote: remote.directory,
    logger,
    pause: () => 10,
    ...parts,
  })
  context.after(() => pusher.close(1_000))
  return {
    remote,
    repository,
    person,
    publisher,
    publish,
    warnings,
    head,
    pusher,
    log,
    remoteHead: async () => (await remote.git('rev-parse', 'main')).trim(),
    push: async (state: PushState['state'] = 'ok') => {
      pusher.published()
      return until(pusher, state)
    },
  }
}

export async function until(pusher: RemoteSync, state: PushState['state']): Promise<PushState> {
  const deadline = Date.now() + 10_000
  while (pusher.state.state !== state) {
    if (Date.now() > deadline) throw new Error(`not ${state}: ${JSON.stringify(pusher.state)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return pusher.state
}

export async function clean({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
  equal(await git('status', '--porcelain'), '')
}
