import {hash} from 'node:crypto'
import {commitAt, git, WITHOUT_HOOKS} from '../process.ts'
import type {Remote} from './remote.ts'

/** Each names the last commit of one branch of one remote that HEAD included. No clone copies them. */
const PREFIX = 'refs/handrail-known/'

/**
 * The commit of a branch of the remote that HEAD included last, which is kept between runs. If the remote no longer has
 * it, the history was rewritten there.
 * @throws RemoteError
 */
export async function readKnown(root: string, remote: Remote, branch: string): Promise<string | undefined> {
  return commitAt(root, await refOf(remote, branch))
}

/** @throws RemoteError, GitError */
export async function writeKnown(
  root: string,
  remote: Remote,
  branch: string,
  commit: string,
): Promise<void> {
  const settings = [...WITHOUT_HOOKS, '-c', 'core.fsync=reference']
  await git(root, [...settings, 'update-ref', await refOf(remote, branch), commit])
}

/** A digest, because one branch may have the name of another one's folder. */
async function refOf(remote: Remote, branch: string): Promise<string> {
  return PREFIX + hash('sha256', `${await remote.address()}\n${branch}`).slice(0, 24)
}
