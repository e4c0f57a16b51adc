import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import {LAYOUT} from '../../../cli/layout.ts'
import {findBrokenIn} from '../../../content/parseDocument.ts'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import {type PushState, RemoteSync, type RemoteSyncOptions} from '../../../git/remote/remoteSync.ts'
import {eventually} from '../../support/eventually.ts'
import {type FolderCopy, readFolder, writeFolder} from './folderCopy.ts'
import {createRepository, type TestRepository, temporaryFolder, testRepository} from './git.ts'
import {recordingLogger} from './log.ts'
import {publisherAt, toolText} from './publisher.ts'

export const findBroken = findBrokenIn(LAYOUT)

export const lines = (changes: Record<number, string> = {}) =>
  `${Array.from({length: 20}, (_, line) => changes[line] ?? `line ${line}`).join('\n')}\n`

/**
 * A content repository, a bare one it is pushed to, and a person's clone of the bare one.
 * @param commits what all of them have besides a first commit
 */
export async function trio(
  context: TestContext,
  options: Partial<RemoteSyncOptions> = {},
  commits: readonly Record<string, string>[] = NO_COMMITS,
) {
  const folder = await temporaryFolder(context)
  const copy = copies.get(commits) ?? createTrio(commits)
  copies.set(commits, copy)
  writeFolder(folder, await copy)
  const remote = testRepository(join(folder, 'remote'))
  const repository = testRepository(join(folder, 'content'))
  const person = testRepository(join(folder, 'clone'))
  const {publisher, publish, warnings, head} = await publisherAt(context, repository)
  const {logger, warnings: log} = recordingLogger()
  const opened = await openContentDirectory(repository.directory)
  const pusher = new RemoteSync({
    folder: opened,
    publisher,
    findBroken,
    remote: remote.directory,
    logger,
    pause: () => 10,
    ...options,
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
    folder: opened,
    logger,
    log,
    remoteHead: async () => (await remote.git('rev-parse', 'main')).trim(),
    push: async (state: PushState['state'] = 'ok') => {
      pusher.published()
      return until(pusher, state)
    },
  }
}

const NO_COMMITS: readonly Record<string, string>[] = []

/** The folders of a trio, by its commits: creating them takes a dozen processes. */
const copies = new Map<readonly Record<string, string>[], Promise<FolderCopy>>()

async function createTrio(commits: readonly Record<string, string>[]): Promise<FolderCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-trio-'))
  try {
    const {git} = testRepository(folder)
    await createRepository(join(folder, 'remote'))
    await createRepository(join(folder, 'content'))
    const repository = testRepository(join(folder, 'content'))
    await repository.commit({'tool/a.json': toolText('a', 'first'), 'notes.txt': lines()})
    for (const files of commits) await repository.commit(files)
    await repository.git('push', '--quiet', '../remote', 'main')
    await git('clone', '--quiet', '--template=', 'remote', 'clone')
    // Not where this remote is, but where each copy's is.
    await testRepository(join(folder, 'clone')).git('config', 'remote.origin.url', '../remote')
    return await readFolder(folder)
  } finally {
    await rm(folder, {recursive: true})
  }
}

export async function until(pusher: RemoteSync, state: PushState['state']): Promise<PushState> {
  return eventually(
    () => pusher.state,
    (found) => found.state === state,
  )
}

export async function clean({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
}
