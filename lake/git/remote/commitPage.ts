import {git} from '../process.ts'

/** Hosts with a page for each commit, and the part of its address between repository and commit. */
const HOSTS: ReadonlyMap<string, string> = new Map([
  ['github.com', '/commit/'],
  ['gitlab.com', '/-/commit/'],
  ['bitbucket.org', '/commits/'],
  ['codeberg.org', '/commit/'],
])

/**
 * The address of a remote's web pages of commits, to which a commit's id is appended. Undefined if the host is not
 * known to have such pages.
 * @param remote an address as Git accepts it, such as `https://host/owner/name.git` or `git@host:owner/name.git`
 */
export function commitPageOf(remote: string): string | undefined {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote)
  const address = scp === null ? remote : `ssh://${scp[1]}/${scp[2]}`
  if (!/^(https?|ssh|git):\/\//.test(address) || !URL.canParse(address)) return undefined
  const {hostname, pathname} = new URL(address)
  const between = HOSTS.get(hostname)
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '')
  if (between === undefined || !/^(\/[\w.-]+){2,}$/.test(path)) return undefined
  return `https://${hostname}${path}${between}`
}

/**
 * The same for a remote's name in the configuration, or its address.
 * @param remote by default `origin`, the usual name of the repository that a clone was made from
 */
export async function findCommitPage(directory: string, remote = 'origin'): Promise<string | undefined> {
  const url = await git(directory, ['config', '--get', `remote.${remote}.url`]).catch(() => remote)
  return commitPageOf(url.trim())
}
