/** An address for Git's command line, and the settings that go with it. */
type RemoteAddress = {
  /** Without a password: every user of the machine can read command lines. */
  readonly address: string
  /** Git's configuration by key. It is passed in the environment, which only this user can read. */
  readonly config: ReadonlyMap<string, string>
}

/**
 * Removes the credentials from the URL of an HTTP remote. Git would pass them on in the command lines of its
 * helpers.
 * @param remote a remote's name in the configuration, or an address
 */
export function withoutSecrets(remote: string): RemoteAddress {
  const url = /^https?:\/\//i.test(remote) && URL.canParse(remote) ? new URL(remote) : undefined
  if (url === undefined || (url.username === '' && url.password === '')) {
    return {address: remote, config: new Map()}
  }
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`
  url.username = ''
  url.password = ''
  // For this host only: https://git-scm.com/docs/git-config#Documentation/git-config.txt-httplturlgt
  const header = `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`
  return {address: url.href, config: new Map([[`http.${url.origin}/.extraHeader`, header]])}
}

/** Keeps a percent sign that encodes nothing as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
