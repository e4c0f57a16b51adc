import {cp, open, readdir, readFile, rm, stat} from 'node:fs/promises'
import {join, relative, resolve} from 'node:path'
import {readBranch} from './branch.ts'
import {acquireLock} from './lock/repositoryLock.ts'
import {createIn} from './newRepository.ts'
import {git} from './process.ts'

/** Locks, and what index, work tree and the lake that kept them in step had in the Git folder. */
const NOT_COPIED =
  /^(.*\.lock|index.*|worktrees|[A-Z_]+_(HEAD|MSG|MODE)|handrail\/(lock.*|lake\.lock|push.*|index.*|file-.*|behind\.json|held))$/

/** In the hook of an earlier version, which only a work tree needs. */
const OWN_HOOK = /keeps a push and a publish of the lake apart/

/**
 * The folder that an earlier version used for the content that a new `directory` is for: `content` for `content.git`,
 * with a work tree and the state of a lake.
 */
export async function findEarlierFolder(directory: string): Promise<string | undefined> {
  const earlier = /^(.*[^/])\.git$/.exec(resolve(directory))?.[1]
  if (earlier === undefined) return undefined
  const state = await stat(join(earlier, '.git', 'handrail')).catch(() => undefined)
  return state?.isDirectory() ? earlier : undefined
}

/**
 * Copies the repository of an earlier version, with the lake's state and all settings, to a new bare one. The earlier
 * folder stays as it is.
 * @throws Error with one line if a lake runs on it, or no branch is checked out there
 * @throws GitError and file system errors
 */
export async function takeOver(earlier: string, directory: string): Promise<void> {
  const from = join(earlier, '.git')
  if ((await readBranch(from)) === undefined)
    throw new Error(
      `${earlier}, which is to become ${directory}, has no branch checked out. Finish its rebase or bisect, or run ` +
        `"git checkout main" there, and start again`,
    )
  const lock = await acquireLock(from, 'a start that converts the repository')
  try {
    await createIn(directory, async (folder) => {
      await cp(from, folder, {
        recursive: true,
        filter: (path) => !NOT_COPIED.test(relative(from, path)),
      })
      await git(folder, ['config', 'core.bare', 'true'])
      const hook = join(folder, 'hooks', 'update')
      if (OWN_HOOK.test(await readFile(hook, 'utf8').catch(() => ''))) await rm(hook)
      await syncAll(folder)
    })
  } finally {
    await lock.release()
    // It would keep the earlier version from starting there again.
    await rm(join(from, 'handrail', 'lock'), {recursive: true, force: true})
  }
}

/** The earlier folder is not read again. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
    const handle = await open(join(entry.parentPath, entry.name), 'r')
    await handle.sync().catch(() => {})
    await handle.close()
  }
}
