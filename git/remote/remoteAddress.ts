import {GitError, git} from '../process.ts'

/** Git's settings by key. A key may have several values. */
export type GitSettings = readonly (readonly [key: string, value: string])[]

/** An address for Git's command line, and the settings that go with it. */
type RemoteAddress = {
  /** Without a password: every user of the machine can read command lines. */
  readonly address: string
  /** They are passed in the environment, which only this user can read. */
  readonly config: GitSettings
}

/**
 * Removes the credentials from the URL of an HTTP remote. Git would pass them on in the command lines of its
 * helpers.
 */
export function withoutSecrets(remote: string): RemoteAddress {
  const url = /^https?:\/\//i.test(remote) && URL.canParse(remote) ? new URL(remote) : undefined
  if (url === undefined || (url.username === '' && url.password === '')) {
    return {address: remote, config: []}
  }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  // For this host only: https://git-scm.com/docs/git-config#Documentation/git-config.txt-httplturlgt
  const header = `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`
  return {address: url.href, config: [[`http.${url.origin}/.extraHeader`, header]]}
}

/** Keeps a percent sign that encodes nothing as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What Git calls the remote in the commands of the lake: {@link remoteSettings} defines it. */
export const REMOTE = 'handrail-remote'

/**
 * What is taken from a named remote: the way to it. Its refspecs, `mirror`, `prune` and others are not, because Git
 * also moves and deletes branches of this repository by them, at a fetch and at a push.
 */
const KEPT = new Set([
  'pushurl',
  'proxy',
  'proxyauthmethod',
  'uploadpack',
  'receivepack',
  'vcs',
  'serveroption',
])

/**
 * The settings that define {@link REMOTE}.
 * @param remote a remote's name in the configuration, or an address
 * @throws GitError
 */
export async function remoteSettings(root: string, remote: string): Promise<GitSettings> {
  const named = await settingsOf(root, remote)
  const urls = named.filter(([key]) => key === 'url')
  const kept = named.filter(([key]) => KEPT.has(key))
  const settings = [...(urls.length === 0 ? [['url', remote] as const] : urls), ...kept]
  return settings.flatMap(([key, value]) => {
    // The person's name in the address of a named remote is for their credential helper.
    const isPlain = !key.endsWith('url') || (urls.length > 0 && !/^https?:\/\/[^/@]*:[^/]*@/i.test(value))
    const {address, config} = isPlain ? {address: value, config: []} : withoutSecrets(value)
    return [[`remote.${REMOTE}.${key}`, address] as const, ...config]
  })
}

/**
 * The address that the configuration has for a remote's name, or the address itself.
 * @param remote a remote's name in the configuration, or an address
 * @throws GitError
 */
export async function addressOf(root: string, remote: string): Promise<string> {
  return (await settingsOf(root, remote)).find(([key]) => key === 'url')?.[1] ?? remote
}

/** The settings of a remote with this name. */
async function settingsOf(root: string, name: string): Promise<GitSettings> {
  const listed = await git(root, ['config', '--null', '--get-regexp', '^remote\\.']).catch(
    (error: unknown) => {
      if (error instanceof GitError && error.exitCode === 1) return ''
      throw error
    },
  )
  const prefix = `remote.${name}.`
  return listed.split('\0').flatMap((entry) => {
    const [, key = '', value] = /^(.*?)\n(.*)$/s.exec(entry) ?? []
    const setting = key.slice(prefix.length)
    return value === undefined || !key.startsWith(prefix) || setting.includes('.')
      ? []
      : [[setting, value] as const]
  })
}
