import {addressOf} from './remoteAddress.ts'

/** The web pages of a host: the parts of their addresses after that of the repository. */
type Pages = {
  /** A commit's id follows. */
  readonly commit: string
  /** What merging `branch` into `base` would change, and where to propose it. */
  readonly compare: (base: string, branch: string) => string
}

const threeDots = (base: string, branch: string) => `/compare/${base}...${branch}`

/** The hosts whose addresses are known. */
const HOSTS: ReadonlyMap<string, Pages> = new Map([
  ['github.com', {commit: '/commit/', compare: threeDots}],
  ['gitlab.com', {commit: '/-/commit/', compare: (base, branch) => `/-${threeDots(base, branch)}`}],
  [
    'bitbucket.org',
    // The branch comes first, and the separator is a carriage return.
    {commit: '/commits/', compare: (base, branch) => `/branches/compare/${branch}%0D${base}`},
  ],
  ['codeberg.org', {commit: '/commit/', compare: threeDots}],
])

/**
 * The address of a remote's web pages of commits, to which a commit's id is appended. Undefined if the host is not
 * known to have such pages.
 * @param remote an address as Git accepts it, such as `https://host/owner/name.git` or `git@host:owner/name.git`
 */
export function commitPageOf(remote: string): string | undefined {
  const site = siteOf(remote)
  return site && `${site.address}${site.pages.commit}`
}

/** The address of the page on which a remote's host compares two branches; undefined if the host is not known. */
export function comparePageOf(remote: string, base: string, branch: string): string | undefined {
  const site = siteOf(remote)
  // Slashes are part of branches' names, and hosts expect them as they are.
  const encoded = (name: string) => encodeURIComponent(name).replaceAll('%2F', '/')
  return site && `${site.address}${site.pages.compare(encoded(base), encoded(branch))}`
}

/** The address of a repository at its host, and the pages that it has there. */
function siteOf(remote: string): {readonly address: string; readonly pages: Pages} | undefined {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote)
  const address = scp === null ? remote : `ssh://${scp[1]}/${scp[2]}`
  if (!/^(https?|ssh|git):\/\//.test(address) || !URL.canParse(address)) return undefined
  const {hostname, pathname} = new URL(address)
  const pages = HOSTS.get(hostname)
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '')
  if (pages === undefined || !/^(\/[\w.-]+){2,}$/.test(path)) return undefined
  return {address: `https://${hostname}${path}`, pages}
}

/**
 * {@link commitPageOf} for a remote's name in the configuration, or its address.
 * @param remote by default `origin`, the usual name of the repository that a clone was made from
 */
export async function findCommitPage(directory: string, remote = 'origin'): Promise<string | undefined> {
  return commitPageOf(await addressOf(directory, remote))
}

/** {@link comparePageOf} for a remote's name in the configuration, or its address. */
export async function findComparePage(
  directory: string,
  remote: string,
  base: string,
  branch: string,
): Promise<string | undefined> {
  return comparePageOf(await addressOf(directory, remote), base, branch)
}
