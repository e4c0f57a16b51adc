import {HttpError} from '../../errors.ts'
import type {Credentials, Token} from './credentials.ts'
import {digest} from './secret.ts'

/** The program with a token, or with the one that it had until lately. */
export function tokenOf({tokens}: Credentials, secret: string): Token | undefined {
  return tokens.find((token) => hashesOf(token).includes(digest(secret)))
}

/** The digests of what a program can send. */
export function hashesOf({hash, previous}: Token): string[] {
  return previous !== undefined && Date.now() < previous.expiresAt ? [hash, previous.hash] : [hash]
}

/** Names a token in a document that others read, by the digest of it. */
export function credentialOf(hash: string): string {
  return digest(hash).slice(0, 16)
}

/**
 * The program with another token, by its name or id.
 * @param validFor milliseconds for which the one from before is accepted, too
 * @throws HttpError with one line when there is none, or several have the name
 */
export function withNewSecret(
  credentials: Credentials,
  nameOrId: string,
  secret: string,
  validFor: number,
): Token {
  const [found, ...others] = tokensNamed(credentials, nameOrId)
  if (others.length > 0)
    throw new HttpError(
      409,
      `there are ${others.length + 1} tokens named "${nameOrId}": add a new one instead`,
    )
  const {id, name, rights, hash} = found
  const previous = {hash, expiresAt: Date.now() + validFor}
  return {id, name, rights, hash: digest(secret), ...(validFor > 0 && {previous})}
}

/**
 * Tokens by name, or one by its id.
 * @throws HttpError with one line when there is none
 */
export function tokensNamed({tokens}: Credentials, nameOrId: string): [Token, ...Token[]] {
  const [first, ...others] = tokens.filter(({id, name}) => name === nameOrId || id === nameOrId)
  if (first === undefined) throw new HttpError(404, `token "${nameOrId}" not found`)
  return [first, ...others]
}
